/**
 * The encoding of a text that declares none and is not UTF-8: that in which it reads like a language. Of
 * what stands above ASCII a large share must be letters that the language uses most; in a wrong encoding they
 * come out rare. Latin alphabets are told apart by `latin-encodings.ts`.
 */
import { guessLatinEncoding } from './latin-encodings.ts'

const SAMPLE_BYTES = 65_536
/** Characters above ASCII on which a guess may rest. */
const CHARACTERS_LEAST = 6
/** Share of bytes above ASCII that a right encoding may leave undecoded. */
const UNDECODED_MAX = 0.01
/** Words of an alphabet of its own; Latin text has such bytes one by one. */
const RUN_LEAST = 3
const IN_RUNS_LEAST = 0.6

interface Candidate {
  encoding: string
  common: RegExp
  /** Share of common letters among what stands above ASCII. */
  least: number
  /** Whether every character is one byte. */
  isSingle: boolean
}

const wide = (encoding: string, common: RegExp, least = 0.12): Candidate => ({
  encoding,
  common,
  least,
  isSingle: false,
})
const single = (encoding: string, common: RegExp): Candidate => ({
  encoding,
  common,
  least: 0.4,
  isSingle: true,
})
const KANA = /[ぁ-んァ-ヴー、。]/gu
/** The two of Greek differ in the place of the last one. */
const GREEK = /[αοιετσνηυρςΆ]/gu
const CYRILLIC = /[оеаинтсрвл]/gu

const CANDIDATES: readonly Candidate[] = [
  wide('shift_jis', KANA, 0.2),
  wide('euc-jp', KANA, 0.2),
  wide(
    'gb18030',
    /[的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经]/gu,
  ),
  wide(
    'big5',
    /[的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經]/gu,
  ),
  wide(
    'euc-kr',
    /[이다는의에하고가을지사기로도은자한대인어리서시정나라해그아스일수전보부들과있으를주구장제]/gu,
    0.2,
  ),
  single('windows-1251', CYRILLIC),
  single('koi8-r', CYRILLIC),
  single('iso-8859-5', CYRILLIC),
  single('ibm866', CYRILLIC),
  single('windows-1253', GREEK),
  single('iso-8859-7', GREEK),
  single('windows-1255', /[יוהלאמרתבשנ]/gu),
  single('windows-1256', /[المنيوترب]/gu),
  single('iso-8859-6', /[المنيوترب]/gu),
  single('windows-874', /[านรกเงอมลวยสท]/gu),
]

/** The encoding that the bytes are in, or null where none is likely. */
export function guessEncoding(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const high = sample.filter((byte) => byte > 0x7f).length
  if (high < CHARACTERS_LEAST) return null
  const isAlphabet = inRuns(sample) >= high * IN_RUNS_LEAST
  let best: { encoding: string; over: number } | null = null
  for (const { encoding, common, least, isSingle } of CANDIDATES) {
    if (isSingle && !isAlphabet) continue
    const text = new TextDecoder(encoding as Bun.Encoding).decode(sample)
    const above = text.match(/\P{ASCII}/gu) ?? []
    const undecoded = above.filter((char) => char === '\ufffd').length
    // The last character of the sample may be cut.
    if (above.length < CHARACTERS_LEAST || undecoded > 1 + high * UNDECODED_MAX) continue
    const over = (text.match(common)?.length ?? 0) / above.length / least
    if (over >= 1 && (best === null || over > best.over)) best = { encoding, over }
  }
  return best?.encoding ?? (isAlphabet ? null : guessLatinEncoding(sample))
}

/** How many bytes above ASCII stand in runs of several. */
function inRuns(bytes: Uint8Array): number {
  let [sum, run] = [0, 0]
  for (const byte of bytes) {
    if (byte > 0x7f) run += 1
    else {
      if (run >= RUN_LEAST) sum += run
      run = 0
    }
  }
  return run >= RUN_LEAST ? sum + run : sum
}
