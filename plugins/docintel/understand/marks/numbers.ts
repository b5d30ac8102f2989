/** Numbers as printed, in both decimal conventions, to values. */
import { MATRICULE_FISCAL } from '../../lexicon/identifiers.ts'

/** Which mark parts the decimals in this document; 'unknown' where nothing tells. */
export type DecimalMark = '.' | ',' | 'unknown'

/** How many groups of three digits outweigh one number with two decimals. */
const GROUPS_OVER_DECIMALS = 3

/** Currencies of a thousand parts: a word that names one, or two that do so together. */
const IN_THOUSANDTHS: readonly (readonly RegExp[])[] = [
  [/(?<!\p{L})(?:KWD|OMR|JOD|TND|LYD)(?!\p{L})|د\.ك|د\.ت|ر\.ع/iu],
  // Malaysian companies end in BHD as well.
  [/(?<!\p{L})BHD(?!\p{L})/iu, /BAHRAIN/i],
  [/\d ?(?:DT|dinars?)(?!\p{L})/iu, new RegExp(`TUNIS|${MATRICULE_FISCAL}`, 'i')],
]
const SUM_OF_THOUSANDTHS = /(?<![\d.,])\d{1,3}(?:[ ,.']\d{3})*[.,]\d{3}(?!\d)/
const SUM_OF_HUNDREDTHS = /(?<![\d.,/-])\d{1,3}(?:[.,' ]?\d{3})*[.,]\d{2}(?![\d.,/]| ?%)/

/** Whether the sums of a text have three decimals: "25.500 KWD" is twenty-five and a half. */
export const hasThousandths = (text: string): boolean =>
  IN_THOUSANDTHS.some((words) => words.every((word) => word.test(text))) &&
  SUM_OF_THOUSANDTHS.test(text) &&
  !SUM_OF_HUNDREDTHS.test(text)

/** The mark that most numbers of a text with three decimals have last. */
function markOfThousandths(text: string): DecimalMark {
  const marks = [...text.matchAll(/([.,])\d{3}(?![\d.,])/g)].map(([, mark]) => mark)
  return marks.filter((mark) => mark === ',').length * 2 > marks.length ? ',' : '.'
}

/** The convention most amounts of a text follow: "1.234,50" and "3,99" against "1,234.50", "3.99". */
export function detectDecimalMark(text: string): DecimalMark {
  if (hasThousandths(text)) return markOfThousandths(text)
  let dot = 0
  let comma = 0
  for (const match of text.matchAll(
    /(?<![\d.,/-])\d{1,3}(?:[.,' ]?\d{3})*([.,])\d{2}(?![\d.,/]| ?%)/g,
  )) {
    const weight = /[.,].*[.,]/.test(match[0]) ? 3 : 1
    if (match[1] === '.') dot += weight
    else comma += weight
  }
  if (dot === 0 && comma === 0) return 'unknown'
  // "104,500" again and again beside one "6,62": the mark parts thousands.
  const groups = { '.': 0, ',': 0 }
  for (const match of text.matchAll(/(?<![\d.,/-])[1-9]\d{0,2}([.,])\d{3}(?![\d.,/-])/g))
    groups[match[1] as '.' | ',']++
  if (comma > 0 && dot === 0 && groups[','] >= GROUPS_OVER_DECIMALS * comma) return '.'
  if (dot > 0 && comma === 0 && groups['.'] >= GROUPS_OVER_DECIMALS * dot) return ','
  return dot >= comma ? '.' : ','
}

export interface ParsedNumber {
  value: number
  /** Digits after the decimal mark as printed. */
  decimals: number
}

/**
 * Value of an unsigned printed number, or null when its separators make no sense ("25.12.2018").
 * Two digits after a single separator are decimals in either convention; three are thousands unless
 * the document's convention says otherwise.
 */
export function parseNumber(raw: string, mark: DecimalMark): ParsedNumber | null {
  const text = raw.replaceAll(/(?<=\d)[ '](?=\d{3}(?!\d))/g, '').replaceAll(' ', '')
  if (!/^\d[\d.,]*$/.test(text) || /[.,]$/.test(text)) return null
  const separators = [...text.matchAll(/[.,]/g)]
  if (separators.length === 0) return { value: Number(text), decimals: 0 }
  const last = separators.at(-1)!
  const tail = text.length - last.index - 1
  const kinds = new Set(separators.map((s) => s[0]))
  if (separators.length === 1) {
    const whole = text.slice(0, last.index)
    if (tail === 3 && whole.length <= 3 && whole !== '0') {
      const isDecimal = last[0] === mark
      if (!isDecimal) return { value: Number(whole + text.slice(last.index + 1)), decimals: 0 }
    }
    return { value: Number(`${whole}.${text.slice(last.index + 1)}`), decimals: tail }
  }
  if (kinds.size === 1) {
    // Several of one kind group thousands; Indian grouping has pairs (1,23,456).
    if (/^\d{1,3}(?:[.,]\d{3})+$/.test(text) || /^\d{1,2}(?:,\d{2})+,\d{3}$/.test(text))
      return { value: Number(text.replaceAll(/[.,]/g, '')), decimals: 0 }
    // "1.234.50": OCR read the comma as a point.
    if (/^\d{1,3}(?:[.,]\d{3})+[.,]\d{2}$/.test(text)) {
      const digits = text.replaceAll(/[.,]/g, '')
      return { value: Number(`${digits.slice(0, -2)}.${digits.slice(-2)}`), decimals: 2 }
    }
    return null
  }
  if (text.slice(0, last.index).includes(last[0])) return null
  const grouped = text.slice(0, last.index)
  if (!/^\d{1,3}(?:[.,]\d{2,3})+$/.test(grouped)) return null
  return {
    value: Number(`${grouped.replaceAll(/[.,]/g, '')}.${text.slice(last.index + 1)}`),
    decimals: tail,
  }
}
