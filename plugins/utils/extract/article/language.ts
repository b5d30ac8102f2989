/** The language of a page: what it declares, else what its commonest words say. */
import { firstOf } from '../harvest/meta.ts'
import { rankedThings, textsOf, type Harvest } from '../harvest/harvest.ts'
import type { Found } from './phrases.ts'

const COMMON: Readonly<Record<string, string>> = {
  en: 'the and of to in is that for with was on as it are by this from have not',
  de: 'der die und das ist nicht ein eine den mit von auf für sich dem auch als werden',
  fr: 'le la les des et est une dans que pour qui sur pas avec plus par ce sont',
  es: 'el los las que del una por con para como más pero sus este está fue son',
  it: 'il che di per una con non del sono della nel più anche gli dei come alla',
  pt: 'que não uma com para dos os por mais como mas foi são pelo também ao das',
  nl: 'de het een van en dat niet voor met zijn op aan ook door maar bij naar',
  sv: 'och att det som på är för med inte den har av till ett om han var',
  pl: 'nie się na jest że do to jak ale przez od dla oraz był po co są',
  sw: 'ya na wa kwa ni katika la za kuwa hii hiyo pia yake kama cha hilo',
  id: 'yang dan di itu dengan untuk tidak ini dari dalam akan pada juga saya',
  tr: 've bir bu da için ile olarak çok daha olan gibi ne kadar sonra',
}

const SCRIPTS: readonly [RegExp, string][] = [
  [/[\u3040-\u30ff]/g, 'ja'],
  [/[\uac00-\ud7af]/g, 'ko'],
  [/[\u4e00-\u9fff]/g, 'zh'],
  [/[\u0600-\u06ff]/g, 'ar'],
  [/[\u0590-\u05ff]/g, 'he'],
  [/[\u0900-\u097f]/g, 'hi'],
  [/[\u0e00-\u0e7f]/g, 'th'],
  [/[\u0370-\u03ff]/g, 'el'],
  [/[\u0400-\u04ff]/g, 'ru'],
]

/** The likely language of a text, or null for too little of it. */
export function guessLanguage(text: string): string | null {
  const sample = text.slice(0, 4000)
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  if (letters < 20) return null
  for (const [script, language] of SCRIPTS)
    if ((sample.match(script)?.length ?? 0) / letters > 0.25) return language
  const words = sample.toLowerCase().match(/\p{L}+/gu) ?? []
  let best: [string, number] = ['', 0]
  for (const [language, list] of Object.entries(COMMON)) {
    const common = new Set(list.split(' '))
    const share = words.filter((word) => common.has(word)).length / words.length
    if (share > best[1]) best = [language, share]
  }
  return best[1] > 0.06 ? best[0] : null
}

const TAG = /^[a-z]{2,3}(?:[-_][a-z\d]{2,8})*$/i

export function languageOf({ htmlLang, head, things }: Harvest, text: string): Found | null {
  const declared: [string | null | undefined, string][] = [
    [htmlLang, 'html.lang'],
    [firstOf(head.meta, 'content-language', 'language'), 'meta.content-language'],
    [firstOf(head.opengraph, 'og:locale'), 'opengraph.og:locale'],
    [
      rankedThings(things)
        .slice(0, 1)
        .flatMap((thing) => textsOf(thing.value.inLanguage))[0],
      'json_ld.inLanguage',
    ],
  ]
  for (const [value, path] of declared)
    if (value && TAG.test(value.trim())) return { value: value.trim().replaceAll('_', '-'), path }
  const guess = guessLanguage(text)
  return guess ? { value: guess, path: 'text' } : null
}
