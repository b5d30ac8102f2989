/** Finds the numbers of a row that may be money, a quantity or a percentage, and says which. */
import { MARK_SOURCE, NUMBER_MARK_SOURCE } from '../../lexicon/currencies.ts'
import { columnAt, type Cell, type Row } from '../../model/document.ts'
import { parseNumber, type DecimalMark } from './numbers.ts'

export interface Amount {
  /** Signed: a leading or trailing minus, parentheses or CR make it negative. */
  value: number
  decimals: number
  /** As printed, with its mark. */
  raw: string
  /** Mark beside it as printed ("RM", "$"), if any. */
  mark: string | null
  percent: boolean
  /** A weight, length, time or count by its unit; no money. */
  measured: boolean
  /** Right after '@' or 'x', or right before 'x': a unit price or a quantity. */
  factor: boolean
  /** A sum without two decimals, in a document that prints such (`whole-sums.ts`). */
  whole: boolean
  /** OCR confusions were put right ("1O.OO"). */
  repaired: boolean
  /** Offsets in the row's text, mark included. */
  start: number
  end: number
  /** Columns of its first and last character. */
  x0: number
  x1: number
  /** Index of its cell in the row. */
  cell: number
}

/** How a document writes its numbers. */
interface Printing {
  mark: DecimalMark
  /** Thousands of whole sums are parted by spaces. */
  bySpaces: boolean
}

/** The digits that OCR reads as letters. */
export const DIGITS: Readonly<Record<string, string>> = {
  O: '0',
  o: '0',
  Q: '0',
  D: '0',
  l: '1',
  I: '1',
  i: '1',
  '|': '1',
  '!': '1',
  S: '5',
  s: '5',
  Z: '2',
  z: '2',
  B: '8',
}
/** A token that was a number with decimals before OCR: real digits outweigh the confusions. */
const DAMAGED =
  /(?<![\p{L}\d.,/:-])((?:RM|Rs|[$€£₹])?)([\dOoQDlIi|!SsZzB]{1,7}[.,] ?[\dOoQDlISsZzB]{2})(?![\p{L}\d])/gu

/** "Bs.63,80": a capital and a small letter before all digits are a currency's, not digits read wrong. */
const STUCK_MARK = /^[A-Z][a-z]\.?\d/

/** "20-00", "RM 12-50": amounts as bills filled in by hand write them, at the end of a cell. */
const DASHED = /(?:(?<=^|\s)(\d{1,5})-(?=00\s*$)|(?<=RM ?)(\d{1,5})-(?=\d0\s*$))/

/** The text with such tokens in digits; the same length. */
export function repairDigits(cell: string): string {
  const text = cell.replace(DASHED, '$1$2.')
  if (!/[.,]/.test(text)) return text
  return text.replaceAll(DAMAGED, (whole, lead: string, body: string) => {
    const letters = body.replaceAll(/[\d., ]/g, '').length
    const digits = body.replaceAll(/\D/g, '').length
    if (letters === 0 || digits < 2 || letters > digits || STUCK_MARK.test(body)) return whole
    return lead + body.replaceAll(/[A-Za-z|!]/g, (c) => DIGITS[c] ?? c)
  })
}

/** ".40": hundredths without the zero before them. */
const CENTS_ONLY = String.raw`(?<![\p{L}\d.,:])\.\d{2}(?![\d.,])`
const NUMBER = String.raw`\d{1,3}(?:,\d{2,3})+(?:\.\d{1,4})?(?!\d)|\d{1,3}(?:[.']\d{3})+(?:,\d{1,4}|\.\d{2}(?!\d))?(?!\d)|\d+(?:[.,]\d+)*|${CENTS_ONLY}`
const SPACED = String.raw`\d{1,3}(?: \d{3})+,\d{2}(?!\d)`
/** Thousands parted by spaces, before a mark that tells it is one number ("63 500 Ft"), or between one and the end. */
const SPACED_WHOLE = String.raw`\d{1,3}(?: \d{3})+(?= ?(?:${NUMBER_MARK_SOURCE})(?![\p{L}\d]))|(?<=(?<![\p{L}\d])(?:${NUMBER_MARK_SOURCE}) ?)\d{1,3}(?: \d{3})+$`
/** In a document that parts its thousands so: alone in its cell, with hundredths as well. */
const SPACED_POINT = String.raw`(?<![^])\d{1,3}(?: \d{3})+\.\d{2}$`
/** Without: also at the end of its cell, behind a mark or a word ("TOTAL TTC : 596 250 F"). */
const SPACED_END = String.raw`(?<=^|[:=%)\p{L}] {0,2})\d{1,3}(?: \d{3})+(?= ?F?$)`
const SPLIT = String.raw`(?<![\d.,])\d{1,3}(?: ,|, )\d{3}[.]\d{2}(?!\d)|\d+[.,] \d{2}(?![\d.,]| \d{3} \p{L})|\d+ [.,]\d{2}(?![\d.,])|\d+ [.,] \d{2}(?=\s*[A-Z]{0,2}\s*$)`
const tokenOf = (...numbers: string[]): RegExp =>
  new RegExp(
    String.raw`(?<sign>(?<![\w\d])[-+(~]\s?)?(?:(?:(?<![\p{L}\d])|(?<=\p{L}{4})(?=RM ?\d+[.,]\d\d))(?<before>${MARK_SOURCE})[.:]?\s?)?(?<inner>-\s?)?(?<number>${numbers.join('|')})(?<after>\s?(?:${MARK_SOURCE})(?![\p{L}\d]))?(?<tail>\s?%|-(?!\s?\d)|\)|\s?CR\b)?`,
    'giu',
  )
const TOKEN = tokenOf(SPACED, SPACED_WHOLE, SPLIT, NUMBER)
const TOKEN_IN_SPACED = tokenOf(SPACED, SPACED_WHOLE, SPACED_POINT, SPACED_END, SPLIT, NUMBER)
const PARTED_BY_SPACES = new RegExp(String.raw`(?<![\d.,])(?:${SPACED_WHOLE})`, 'iu')

const POINT_CELL = new RegExp(SPACED_POINT, 'u')
/** Francs of Africa have no hundredths. */
const WHOLE_CELL = new RegExp(SPACED_END, 'iu')
/** "Tea 1 150" may be one at 150, but nothing costs 000. */
const AFTER_WORD = /\p{L} {0,2}\d{1,3}(?: \d{3})+(?: ?F)?$/iu
const ZEROS = / 0\d{2}(?: ?F)?$/i
const HUNDREDTHS = /\d[.,]\d{2}(?!\d| ?%)/

/**
 * Whether a document parts thousands by spaces other than before a comma: before a mark ("57 150 Ft"),
 * before a point ("11 101.74") or, where no hundredths are printed, before nothing ("16 400"). The latter
 * two may also be a quantity and a price: only where the number is the sum of two others it is one.
 */
export function partsBySpaces(rows: readonly Row[]): boolean {
  if (rows.some((row) => PARTED_BY_SPACES.test(row.text))) return true
  const cells = rows.flatMap((row) => row.cells.map((cell) => cell.text.trim()))
  const isWhole = !rows.some((row) => HUNDREDTHS.test(row.text))
  const isSure = cells.some((text) => ZEROS.test(text))
  const joined = cells.flatMap((text) => {
    if (isWhole && !isSure && AFTER_WORD.test(text)) return []
    const [number] = (isWhole ? WHOLE_CELL : POINT_CELL).exec(text) ?? []
    return number === undefined ? [] : [Number(number.replaceAll(' ', ''))]
  })
  if (joined.length === 0) return false
  const plain = isWhole ? /^\d{3,7}$/ : /^\d+\.\d{2}$/
  const others = cells.filter((text) => plain.test(text)).map(Number)
  const all = [...new Set([...others, ...joined])].slice(0, SUMS_MAX)
  return joined.some((sum) =>
    all.some((one) => all.some((other) => Math.abs(one + other - sum) < HALF_HUNDREDTH)),
  )
}
const SUMS_MAX = 200
const HALF_HUNDREDTH = 0.005

/** What is taken off or given back, of which a dash before the sum may be a minus. */
const TAKEN_OFF =
  /DISC|RABA|REMISE|KORTING|SCONTO|DESC|LESS|REFUND|RETURN|RETOUR|CREDIT|COUPON|VOUCHER|PROMO|SAV(?:ED|ING)|OFF|DEPOSIT|PAID|PAYMENT|GUTS|AVOIR|R[OU]UN?D|NACHLASS|SKONTO|ANZAHL|ACOMPTE|ANTICIP|ADJ|CHANGE|REDUC|DEDUC|STORNO|VOID|WITHH|IRPF|RETEN/i

/** "Large pizza - $18.99": a dash with spaces around it parts a sum from its name and is no minus. */
const partsFromName = (text: string, at: number, sign: string): boolean =>
  sign === '- ' &&
  /[\p{L})] $/u.test(text.slice(0, at)) &&
  !/ {2}$/.test(text.slice(0, at)) &&
  !TAKEN_OFF.test(text.slice(0, at))

/** Letters that stand before a number without a space. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

/** Whether the number at [start, end) is part of a word, a date, a time, a code or a phone number. */
function overlaps(text: string, start: number, end: number, numberEnd: number): boolean {
  const before = text[start - 1] ?? ' '
  const after = text.slice(end, end + 3)
  const hasCents = /[.,]\d{2}$/.test(text.slice(start, numberEnd))
  if (/[\d#&_\\/]/.test(before)) return true
  // "VAT (20% on A+C+1)": letters of lines, of which OCR took one for a digit.
  if (before === '+' && /\p{L}/u.test(text[start - 2] ?? '')) return true
  // "TOTAL21.65" and "GST259.65" are glued labels; "A12" and "X25.5" are codes and sizes.
  if (
    /\p{L}/u.test(before) &&
    !UNSPACED.test(before) &&
    !(hasCents && /(?:^|[^\p{L}\d])\p{L}{3,}$/u.test(text.slice(0, start)))
  )
    return true
  if (before === ';' && /[\p{L}\d]/u.test(text[start - 2] ?? '')) return true
  if (/[-.,:]/.test(before) && /[\p{L}\d]/u.test(text[start - 2] ?? '')) {
    // "Total.12.00" and "TOTAL:21.65" are labels; "A-1234", "12-34", "12:30" are codes and times.
    if (/\d/.test(text[start - 2]!)) return true
    if (!hasCents && before !== ':') return true
  }
  if (/^[\d:/\\_&]/.test(after)) return true
  if (/^-\w/.test(after)) return true
  if (/^\p{L}/u.test(after)) {
    // Tax codes may cling: "9.00SR", "3.49A"; so may the x of a quantity.
    const clings = /^(?:[A-Z]{1,2}|[xX*])(?![\p{L}\d])/u.test(after)
    // "¥150軽": Japan marks the reduced rate so.
    if (/^[軽内外込※円元원点]/.test(after)) return false
    return !(clings && (hasCents || /^[xX]/.test(after)))
  }
  return false
}

function ofCell(
  cell: Cell,
  cellIndex: number,
  offset: number,
  { mark, bySpaces }: Printing,
): Amount[] {
  const text = repairDigits(cell.text)
  const found: Amount[] = []
  for (const match of text.matchAll(bySpaces ? TOKEN_IN_SPACED : TOKEN)) {
    const { sign = '', before, inner, number, after, tail = '' } = match.groups!
    const start = match.index + sign.length
    const end = match.index + match[0].length
    const numberStart = match.index + match[0].indexOf(number!, sign.length + (before?.length ?? 0))
    const numberEnd = numberStart + number!.length
    const markEnd = after ? numberEnd + after.length : numberEnd
    if (overlaps(text, start, after ? markEnd : numberEnd, numberEnd)) continue
    const parsed = parseNumber(number!.startsWith('.') ? `0${number!}` : number!, mark)
    if (!parsed) continue
    const bare = !before && !after && parsed.decimals === 0
    // Long runs of digits and leading zeros are codes.
    if (bare && (/^0\d/.test(number!) || /^\d{8,}$/.test(number!))) continue
    if (parsed.value >= 1e12) continue
    const rest = text.slice(end)
    // "¥55,000-", "12.000-": the dash closes a sum, as on cheques.
    const endsWithDash =
      tail === '-' && parsed.decimals === 0 && (before !== undefined || parsed.value >= 1000)
    const negative =
      (sign.startsWith('-') && !partsFromName(text, match.index, sign)) ||
      inner !== undefined ||
      (/-|CR/i.test(tail) && !endsWithDash) ||
      (sign.startsWith('(') && tail === ')')
    const lead = text.slice(0, start)
    found.push({
      value: negative ? -parsed.value : parsed.value,
      decimals: parsed.decimals,
      raw: cell.text.slice(start, end).trim(),
      // "JALAN EURO 1" is a street: the word stands behind its amount.
      mark:
        (
          (before && !(parsed.decimals === 0 && /^euros?$/i.test(before)) ? before : after) ?? ''
        ).trim() || null,
      percent: tail.includes('%') || /^\s?(?:%|percent|pct)/i.test(rest),
      measured:
        !before &&
        !after &&
        /^ ?(?:kgs?|lbs?|pcs|km|kwh|hrs?|ml|cm|mm|pts|sqm|sq ?ft|kcal|mmol|cups?|tbsp|tsp|miles)\b|^ ?m(?:2\b|²)/i.test(
          rest,
        ),
      factor:
        /(?:@|(?<![\p{L}])x)\s*$/iu.test(lead) ||
        // A star that ends the cell after hundredths points to a footnote.
        (/^\s*[x×*]\s*(?:$|[\d(]|\p{L}{0,3}\s?\d)/iu.test(rest) &&
          !(parsed.decimals === 2 && /^\s*\*\s*$/.test(rest))),
      whole: false,
      repaired: text.slice(start, end) !== cell.text.slice(start, end),
      start: offset + start,
      end: offset + end,
      x0: columnAt(cell, start),
      x1: columnAt(cell, end),
      cell: cellIndex,
    })
  }
  return found
}

/** Every number of a row, left to right. */
export function amountsOfRow(row: Row, mark: DecimalMark, bySpaces = false): Amount[] {
  const all: Amount[] = []
  let offset = 0
  for (const [index, cell] of row.cells.entries()) {
    all.push(...ofCell(cell, index, offset, { mark, bySpaces }))
    offset += cell.text.length + 2
  }
  return all
}

/** Whether a number looks like money: it has two decimals or a mark, or is a sum without either. */
export function looksLikeMoney(amount: Amount): boolean {
  if (amount.percent || amount.measured) return false
  return amount.decimals === 2 || amount.mark !== null || amount.whole
}

/** The amount that a total's row means: the last that looks like money, else the last number. */
export function pickAmount(candidates: Amount[]): Amount | null {
  const usable = candidates.filter((a) => !a.percent && !a.measured)
  return (
    usable.findLast((a) => looksLikeMoney(a) && !a.factor) ??
    usable.findLast((a) => !a.factor) ??
    null
  )
}
