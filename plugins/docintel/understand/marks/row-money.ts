/** What each row of a document says of money: its amounts, or the label that it is. */
import { foldLabel, wordCount } from '../../lexicon/fold.ts'
import { classifyMoneyLabel, LABEL_WORDS_MAX } from '../../lexicon/money-labels.ts'
import type { MoneyLabel } from '../../lexicon/money-label.ts'
import { classifyOtherScript } from '../../lexicon/other-scripts.ts'
import type { DocumentText, Row } from '../../model/document.ts'
import { amountsOfRow, looksLikeMoney, partsBySpaces, type Amount } from './amounts.ts'
import { datesOfRow } from './dates.ts'
import { hasThousandths, type DecimalMark } from './numbers.ts'
import { pageNumberCells } from './page-numbers.ts'
import { TaxTable, type TablePlace } from './tax-table.ts'
import { withoutChanceMarks } from './chance-marks.ts'
import { withWholeSums } from './whole-sums.ts'

export interface RowMoney extends TablePlace {
  row: Row
  amounts: Amount[]
  /** The row says nothing but amounts (with marks and tax codes). */
  onlyAmounts: boolean
  /** Folded text of a row without money amounts, and what it says. */
  folded: string
  label: MoneyLabel | null
}

/** The sums of a row, left to right. */
export const moneyOf = ({ amounts }: Pick<RowMoney, 'amounts'>): number[] =>
  amounts.filter(looksLikeMoney).map(({ value }) => value)

const ADORNED = /^[*#=•\s]{2,}(.*?)[*#=•\s]*$/
const MASKED = /[*#xX_•█▇■]{2,}[.,]?[*#xX_•█▇■\d]*|\[(?:REDACTED|MASKED|HIDDEN)\]/

/**
 * Whether a row hides its digits ("TOTAL ***.**"). Stars before a label adorn it, and a line to be
 * filled in by hand ("Total ______") hides nothing.
 */
const isMasked = (text: string): boolean =>
  !/\d[.,]\d{2}(?!\d)/.test(text) &&
  MASKED.test(text.replace(ADORNED, '$1').replaceAll(/_{2,}/g, ' '))

/** Tax letters, currency marks and filler that may stand beside an amount. */
const FILLER =
  /^(?:RM|MYR|EUR|USD|GBP|KES|KSH|KSHS|UGX|TZS|TSH|NGN|INR|RS|CHF|AUD|SR|ZR|ZRL|SRL|ES|OS|T|A|B|C|E|F|N|S|Z|X|R|P|TX|EA|PC|PCS|NOS|\d+|%)$/

const COUNTED_TOTAL =
  /^(?:TOTAL|SUM|SUMMA|SUMME|TOTALT|SUBTOTAL|YHTEENSA|TOTAAL|TOTALE|JUMLAH) (?:ITEMS?|VARER?|VAROR|ARTIKEL|ARTICLES?|ARTIKLAR|TUOTETTA|PCS|POSTEN|ARTIKELEN)$/

/** Every row with its amounts and, where it has none, the label it is. */
export function readRowMoney(document: DocumentText, mark: DecimalMark): RowMoney[] {
  const summary = new TaxTable()
  const bySpaces = partsBySpaces(document.rows)
  const pageNumbers = pageNumberCells(document.rows)
  const inThousandths = hasThousandths(document.rows.map((row) => row.text).join('\n'))
  const amountsOf = (row: Row, at: number): Amount[] =>
    withoutYears(row, amountsOfRow(row, mark, bySpaces))
      .filter(({ cell }) => !pageNumbers.get(at)?.has(cell))
      .map((amount) =>
        inThousandths && amount.decimals === 3 ? { ...amount, whole: true } : amount,
      )
  const found = withWholeSums(
    document.rows,
    withoutChanceMarks(document.rows, document.rows.map(amountsOf)),
  )
  return document.rows.map((row, at) => {
    const amounts = found[at]!
    const folded = foldLabel(row.text)
    const rest = restOf(row.text, amounts)
    const counted = isCountedTotal(rest, amounts) && found[at + 1]?.some((a) => a.decimals === 2)
    const money = amounts.some((a) => !a.percent) && !counted
    const label =
      money ||
      wordCount(folded) > LABEL_WORDS_MAX ||
      isMasked(row.text) ||
      datesOfRow(row).length > 0
        ? null
        : counted
          ? 'total'
          : classifyMoneyLabel(folded)
    const place = summary.next(row, foldLabel(rest), amounts)
    return {
      row,
      amounts,
      onlyAmounts:
        amounts.length > 0 &&
        foldLabel(rest)
          .split(' ')
          .every((w) => w === '' || FILLER.test(w)),
      folded,
      label,
      ...place,
    }
  })
}

const [YEAR_LEAST, YEAR_MOST] = [1900, 2600]

/** "18,2024": a day and its year whose space was lost. */
const DAY_AND_YEAR = /^\d{1,2}[.,](?:19|20)\d{2}$/

const DAY_MAX = 31

/** The amounts of a row without days and years of its dates: "Due 13 June 2024" owes nothing. */
function withoutYears(row: Row, amounts: Amount[]): Amount[] {
  const isOfDate = ({ value, decimals, mark, raw }: Amount): boolean =>
    mark === null &&
    ((decimals === 0 && value >= YEAR_LEAST && value <= YEAR_MOST) ||
      (decimals === 0 && value >= 1 && value <= DAY_MAX) ||
      DAY_AND_YEAR.test(raw))
  if (!amounts.some(isOfDate)) return amounts
  const days = datesOfRow(row).filter(({ weak }) => !weak)
  return amounts.filter(
    (amount) =>
      !isOfDate(amount) ||
      !days.some(({ start, end }) => start <= amount.start && amount.end <= end),
  )
}

/** "Sum 3 varer", "TOTAL (3 ITEMS)": a total that says how many, its amount in the next row. */
function isCountedTotal(rest: string, amounts: Amount[]): boolean {
  const [only, more] = amounts
  if (!only || more || only.decimals !== 0 || only.mark !== null || only.value >= 1000) return false
  const folded = foldLabel(rest)
  return (
    COUNTED_TOTAL.test(folded) || Boolean(classifyOtherScript(folded)?.startsWith('total_payable'))
  )
}

/** A row without its amounts. */
function restOf(text: string, amounts: Amount[]): string {
  let rest = ''
  let at = 0
  for (const amount of amounts) {
    rest += `${text.slice(at, amount.start)} `
    at = amount.end
  }
  return rest + text.slice(at)
}

/** Whether a total's place is there but its digits are hidden ("TOTAL ***.**"). */
export function hasMaskedTotal(document: DocumentText): boolean {
  return document.rows.some((row) => {
    // Digits that are left, or a country's letters, tell of a card or account: "ES12 **** **** 4471".
    if (!isMasked(row.text) || /\d{3}|\b[A-Z]{2}\d{2}\b/.test(row.text)) return false
    const label = classifyMoneyLabel(
      foldLabel(row.text.replace(MASKED, ' ').replaceAll(/[^\p{L} ]/gu, ' ')),
    )
    return label !== null && label.startsWith('total')
  })
}
