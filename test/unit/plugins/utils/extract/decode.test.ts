/** Bytes of pages that declare no encoding, or one that their bytes are not in. */
import { describe, expect, it } from 'vitest'
import { decodeBytes } from '../../../../../plugins/utils/extract/input/decode.ts'
import { kindOfInput } from '../../../../../plugins/utils/extract/input/kind.ts'

const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'))
const latin = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))

describe('what an address answers without saying so', () => {
  it('is a page in UTF-16 without a mark', () => {
    const page = Buffer.from('<!doctype html><title>A day</title><p>Text', 'utf16le')
    expect(kindOfInput('url', new Uint8Array(page), null)).toBe('html')
  })
  it('is binary where zeros stand at any place', () => {
    const data = Uint8Array.from({ length: 400 }, (_, i) => (i % 3 === 0 ? 0 : i % 250))
    expect(kindOfInput('url', data, null)).toBe('binary')
  })
})

describe('a page that declares no encoding', () => {
  it.each([
    [
      'gb18030',
      'ztLDx9Ta1eK49rPHytDA78n6u+7By7rctuDE6qOsttTL/LXEw7/Su8z1wre2vNPQ19S8urXEv7S3qKGj',
      '我们在这个城市里生活了很多年，对它的每一条路都有自己的看法。',
    ],
    [
      'big5',
      'p9qtzKZis2+t06uwpau4zKXNrKGkRqvcpmimfqFBue+lpqq6qEOkQLH4uPSzo6azptukdqq6rN2qa6FD',
      '我們在這個城市裡生活了很多年，對它的每一條路都有自己的看法。',
    ],
    [
      'shift_jis',
      'joSCvYK/gs2CsYLMkqyCyZK3gq2PWoLxgsWCooLEgUGCx4LMk7mCyYLCgqKCxILgmGKCt4KxgsaCqoLFgquC3IK3gUI=',
      '私たちはこの町に長く住んでいて、どの道についても話すことができます。',
    ],
    [
      'euc-jp',
      'u+Skv6TBpM+ks6TOxK6ky8S5pK+9u6TzpMekpKTGoaKkyaTOxruky6TEpKSkxqTiz8OkuaSzpMikrKTHpK2k3qS5oaM=',
      '私たちはこの町に長く住んでいて、どの道についても話すことができます。',
    ],
    [
      'iso-2022-jp',
      'GyRCO2QkPyRBJE8kMyRORC4kS0Q5JC89OyRzJEckJCRGISIkSSRORjskSyREJCQkRiRiT0MkOSQzJEgkLCRHJC0kXiQ5ISMbKEI=',
      '私たちはこの町に長く住んでいて、どの道についても話すことができます。',
    ],
    [
      'euc-kr',
      'v+y4rrTCIMDMILW1vcO/obytIL/At6Egu+y+0rDtILjwtecgsea/oSC068fYIMfSIMDMvt+x4rChIMDWtNku',
      '우리는 이 도시에서 오래 살았고 모든 길에 대해 할 이야기가 있다.',
    ],
    [
      'windows-1251',
      'zPsg5ujiuOwg4iD98u7sIOPu8O7k5SDs7e7j7iDr5fIg6CDs7ubl7CDw4PHx6uDn4PL8IO4g6uDm5O7pIOXj7iDz6+j25S4=',
      'Мы живём в этом городе много лет и можем рассказать о каждой его улице.',
    ],
    [
      'koi8-r',
      '7dkg1snXo80g1yDc1M/NIMfP0s/ExSDNzs/HzyDMxdQgySDNz9bFzSDSwdPTy8HawdTYIM8gy8HWxM/KIMXHzyDVzMnDxS4=',
      'Мы живём в этом городе много лет и можем рассказать о каждой его улице.',
    ],
    [
      'iso-8859-5',
      'vOsg1tjS8dwg0iDt4t7cINPe4N7U1SDc3d7T3iDb1eIg2CDc3tbV3CDg0OHh2tDX0OLsIN4g2tDW1N7ZINXT3iDj29jm1S4=',
      'Мы живём в этом городе много лет и можем рассказать о каждой его улице.',
    ],
    [
      'ibm866',
      'jOsgpqii8awgoiDt4q6sIKOu4K6kpSCsra6jriCrpeIgqCCsrqalrCDgoOHhqqCnoOLsIK4gqqCmpK6pIKWjriDjq6jmpS4=',
      'Мы живём в этом городе много лет и можем рассказать о каждой его улице.',
    ],
    [
      'windows-1253',
      'xu/97OUg8+Ug4fX03iD05+0g8Pzr5yDw7+vr3CD38fzt6eEg6uHpIO7d8e/17OUg6tzo5SD05/Ig5PH87O8u',
      'Ζούμε σε αυτή την πόλη πολλά χρόνια και ξέρουμε κάθε της δρόμο.',
    ],
    [
      'windows-1255',
      '4PDn8OUg4vjp7SDh8un4IOTm4Pog+fDp7SD44eX6IOXu6+n46e0g6+wg+Ofl4SD57OQu',
      'אנחנו גרים בעיר הזאת שנים רבות ומכירים כל רחוב שלה.',
    ],
    [
      'windows-1256',
      '5M3kIOTa7dQg3e0g5dDlIMfh48/t5Mkg4+TQINPk5sfKIObk2tHdIN/hINTH0dog3e3lxy4=',
      'نحن نعيش في هذه المدينة منذ سنوات ونعرف كل شارع فيها.',
    ],
    [
      'windows-874',
      '4MPSzcLZ6OO54MHXzae51enB0svF0sK71eHF0MPZ6ajRoba5ubfYocrSwg==',
      'เราอยู่ในเมืองนี้มาหลายปีและรู้จักถนนทุกสาย',
    ],
    [
      'windows-1250 (Polish)',
      'WmG/87PmIGfqnGy5IGphn/EsIHByb3N66iBwYfFzdHdhOiC/YWRlbiBwb2NpuWcgZHppnCBuaWUgb2RqZWNoYbMgc3Dzn25pb255Lg==',
      'Zażółć gęślą jaźń, proszę państwa: żaden pociąg dziś nie odjechał spóźniony.',
    ],
    [
      'iso-8859-2 (Czech)',
      'UPjtbGm5IL5sdbtvdehr/SBr+fIg+nDsbCDv4WJlbHNr6SDzZHkgYSB2uWljaG5pIG1s6GVsaSBhviBkbyB2Zehl+GUu',
      'Příliš žluťoučký kůň úpěl ďábelské ódy a všichni mlčeli až do večeře.',
    ],
    [
      'windows-1250 (Hungarian)',
      'QXog9XN6aSBo+3b2cyBzeulsYmVuIGEgZvt6ZuFrIOFnYWkgbGFzc2FuIGVsaGFneXThayB1dG9sc/MgbGV2ZWxlaWtldCwg6XMgaPtsdCBheiBlcmT1Lg==',
      'Az őszi hűvös szélben a fűzfák ágai lassan elhagyták utolsó leveleiket, és hűlt az erdő.',
    ],
    [
      'windows-1254 (Turkish)',
      '3XN0YW5idWySZGEgeWHwbXVybHUgYmlyIGFr/mFtLCBpc2tlbGVkZWtpIOdheWP9IG38/nRlcmlsZXJpbmUgc/1jYWsg52F5IGRh8P10/XlvcmR1Lg==',
      'İstanbul’da yağmurlu bir akşam, iskeledeki çaycı müşterilerine sıcak çay dağıtıyordu.',
    ],
    [
      'windows-1257 (Lithuanian)',
      '0GlhbmRpZW4g4P51b2z4IGdpcmFpdOtqZSBtYehpYXUgZ3Jh/mn4IHBhdWvw6Gn4LCBrdXJpZSBza3JpZG8g4SBwaWV0dXMg/mllbW90aS4=',
      'Šiandien ąžuolų giraitėje mačiau gražių paukščių, kurie skrido į pietus žiemoti.',
    ],
    [
      'iso-8859-6 (Arabic)',
      '5s3mIObZ6tQg4eog59DnIMfk5c/q5skg5ebQINPm6MfKIOjm2dHhIOPkINTH0dkg4ernxy4=',
      'نحن نعيش في هذه المدينة منذ سنوات ونعرف كل شارع فيها.',
    ],
    [
      'utf-16le without a mark',
      'PABoAHQAbQBsACAAbABhAG4AZwA9ACIAagBhACIAPgA8AHQAaQB0AGwAZQA+AABO5WVuMBiKMpM8AC8AdABpAHQAbABlAD4APABwAD4AADDBeV8wYTBvMFMwbjA6dWswd5VPME9PkzBnMEQwZjABMGkwbjBTkIIw5XdjMGYwRDB+MFkwAjA=',
      '<html lang="ja"><title>一日の記録</title><p>　私たちはこの町に長く住んでいて、どの道も知っています。',
    ],
    [
      'utf-16be without a mark',
      'ADwAaAB0AG0AbAA+ADwAdABpAHQAbABlAD4AQQAgAGQAYQB5ADwALwB0AGkAdABsAGUAPgA8AHAAPgBXAGUAIABoAGEAdgBlACAAbABpAHYAZQBkACAAaQBuACAAdABoAGkAcwAgAHQAbwB3AG4AIABmAG8AcgAgAHkAZQBhAHIAcwAgIBQAIABhAG4AZAAgAGsAbgBvAHcAIABlAHYAZQByAHkAIAByAG8AYQBkAC4=',
      '<html><title>A day</title><p>We have lived in this town for years — and know every road.',
    ],
  ])('%s', (_, base64, text) => {
    expect(decodeBytes(bytesOf(base64), null)).toBe(text)
    expect(decodeBytes(bytesOf(base64), 'text/html; charset=unknown')).toBe(text)
  })

  it.each([
    'Ein Gruß aus München: schöne Tage, größere Brücken und kühle Nächte für Jürgen und Käthe.',
    'Un été à la plage, où l’été d’où l’on revient est déjà passé, ça et là, très tôt.'.replaceAll(
      '’',
      "'",
    ),
    'ÅÄÖ ÆØÅ ÉÈÊ ÑÇÜ',
    'Un árbol pequeño creció allí; ¿quién lo plantó? Nadie sabía decir cuándo ni por qué.',
    'Água e pão não faltam à região, e a estação das chuvas já começou.',
    'Øl og brød på bordet, sær stemning, en å der løber gennem byen.',
  ])('is western where it reads like no other: %s', (text) => {
    expect(decodeBytes(latin(text), null)).toBe(text)
  })

  it('is what it declares, whatever it reads like', () => {
    const bytes = bytesOf(
      'zPsg5ujiuOwg4iD98u7sIOPu8O7k5SDs7e7j7iDr5fIg6CDs7ubl7CDw4PHx6uDn4PL8IO4g6uDm5O7pIOXj7iDz6+j25S4=',
    )
    expect(decodeBytes(bytes, 'text/plain; charset=iso-8859-1')).not.toContain('го')
  })
})

describe('UTF-8 with a fault', () => {
  const french = Buffer.from('Les élèves étaient déjà là, à l’heure et prêts.')

  it('stays UTF-8 where a byte is wrong or the end is cut', () => {
    const bytes = new Uint8Array(Buffer.concat([french, Buffer.from([0x20, 0xe9, 0x20]), french]))
    expect(decodeBytes(bytes, null)).toBe(`${french} \ufffd ${french}`)
    const cut = new Uint8Array(Buffer.from('été, déjà, là')).slice(0, -1)
    expect(decodeBytes(cut, 'text/html')).toBe('été, déjà, l\ufffd')
  })

  it('is what the page declares where only the server says UTF-8', () => {
    const page = '<meta charset="windows-1252"><p>Caf\xe9'
    expect(decodeBytes(latin(page), 'text/html; charset=utf-8')).toContain('Café')
    const japanese = Buffer.from('<meta charset=shift_jis><p>\x93\x8c\x8b\x9e', 'latin1')
    expect(decodeBytes(new Uint8Array(japanese), 'text/html; charset=utf-8')).toContain('東京')
  })
})
