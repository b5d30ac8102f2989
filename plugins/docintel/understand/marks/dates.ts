/** Printed dates in many forms, and which of them is the day of issue. */
import { capitalsInPlace } from '../../lexicon/fold.ts'
import { MONTH_SOURCE, monthOfName } from '../../lexicon/months.ts'
import type { DocumentText, Row } from '../../model/document.ts'

export interface FoundDate {
  /** YYYY-MM-DD, day-first where day and month could be either. */
  iso: string
  row: number
  start: number
  end: number
  /** Both numbers could be the month. */
  ambiguous: boolean
  /** Month before day as printed, and it could not be otherwise. */
  monthFirst: boolean
  /** A two-digit year or OCR repairs: a little less sure. */
  weak: boolean
  /** Printed numbers in order, for a second reading of ambiguous ones. */
  parts: readonly [number, number, number] | null
}

const YEAR_MIN = 1990
const YEAR_MAX = 2060
const THAI_MIN = 2540
const THAI_MAX = 2600
const SEP = String.raw` ?[-/.,'\\] ?`
/** Digits as OCR may have read them; only inside something that has the form of a date. */
const D = String.raw`[\dOoIl|]`
const NUMERIC = new RegExp(
  String.raw`(?<!\d)(?<!\d[.,:/-])(?<a>${D}{1,2})(?<s1>${SEP})(?<b>${D}{1,2})(?<s2>${SEP})(?<y>2[0Oo]${D}{2}|19${D}{2}|25[4-9]\d|${D}{2}(?![\d]))`,
  'gu',
)
const YEAR_FIRST = new RegExp(
  String.raw`(?<!\d)(?<!\d[.,:/-])(?<y>20\d{2}|19[89]\d)(?<s>${SEP})(?<m>\d{1,2})${SEP}(?<d>\d{1,2})(?!\d{3})(?!\d{2}(?![\d:]))`,
  'gu',
)
const COMPACT =
  /(?<![\d#])(?<!\d[.,:/-])(?<y>20[0-4]\d)(?<m>0[1-9]|1[0-2])(?<d>0[1-9]|[12]\d|3[01])(?![\d/])/g
/** A lost slash: "2706/2018", "27/062018". */
const ONE_SLASH =
  /(?<![\d/.-])(?<d>0[1-9]|[12]\d|3[01])(?<s1>[/-]?)(?<m>0[1-9]|1[0-2])(?<s2>[/-]?)(?<y>20[0-4]\d)(?![\d/-])/g
/** Chinese, Japanese, Korean and Vietnamese words between the numbers; Taiwan counts from 1912. */
const CJK =
  /(?<!\d)(?<y>20\d{2}|1[01]\d) ?[年년] ?(?<m>\d{1,2}) ?[月월] ?(?<d>\d{1,2}) ?[日일号號]?(?!\d)/g
const VIETNAMESE = /NG[AÀ]Y (?<d>\d{1,2}) TH[AÁ]NG (?<m>\d{1,2}) N[AĂ]M (?<y>20\d{2})/g
/** "令和5年10月1日": counted from 2019. */
const REIWA =
  /(?:令和|(?<![A-Z])R) ?(?<y>\d{1,2}) ?[年.] ?(?<m>\d{1,2}) ?[月.] ?(?<d>\d{1,2})(?!\d)/g
const DAY_MONTH = new RegExp(
  String.raw`(?<![\d.,/]|\d:)(?<d>\d{1,2})(?:ST|ND|RD|TH|ER|O|\.?º|\.)?[\s\-/.,']{0,3}(?:OF |DE |D')?(?<m>${MONTH_SOURCE})[\s\-/.,']{0,3}(?:DEL? ?)?(?<y>20\d{2}|19\d{2}|\d{2}(?![\d:.]))`,
  'g',
)
const MONTH_DAY = new RegExp(
  String.raw`(?<![A-Z])(?<m>${MONTH_SOURCE})[\s\-/.,']{1,3}(?<d>\d{1,2})(?:ST|ND|RD|TH)?(?:[\s\-/,']{1,3}|\. )(?<y>20\d{2}|19\d{2}|\d{2}(?![\d:.]))`,
  'g',
)
/** "OCT28'17", as restaurant tills print it. */
const MONTH_DAY_TICK = new RegExp(
  String.raw`(?<![A-Z])(?<m>${MONTH_SOURCE})(?<d>\d{1,2})['’](?<y>\d{2})(?!\d)`,
  'g',
)
/** "2018-Mar-05", "2018 MAR 05". */
const YEAR_MONTH_DAY = new RegExp(
  String.raw`(?<!\d)(?<y>20\d{2})(?:\. |[\s\-/.,])(?<m>${MONTH_SOURCE})(?:\. ?|[\s\-/,])(?<d>\d{1,2})(?!\d)`,
  'g',
)

const number = (text: string): number =>
  Number(text.replaceAll(/[Oo]/g, '0').replaceAll(/[Il|]/g, '1'))

/** Two digits are of this century; Taiwan's years count from 1912, Thailand's from the Buddha. */
function gregorian(year: number): number {
  if (year < 100) return 2000 + year
  if (year < 200) return year + 1911
  return year >= THAI_MIN && year <= THAI_MAX ? year - 543 : year
}

function isoOf(year: number, month: number, day: number): string | null {
  const full = gregorian(year)
  if (full < YEAR_MIN || full > YEAR_MAX || month < 1 || month > 12 || day < 1) return null
  const last = new Date(Date.UTC(full, month, 0)).getUTCDate()
  if (day > last) return null
  const pad = (n: number): string => String(n).padStart(2, '0')
  return `${full}-${pad(month)}-${pad(day)}`
}

function numericDates(row: Row, thai: boolean): FoundDate[] {
  const found: FoundDate[] = []
  NUMERIC.lastIndex = 0
  for (let match = NUMERIC.exec(row.text); match; match = NUMERIC.exec(row.text)) {
    const next = NUMERIC.lastIndex
    // A reading that is refused must not swallow the date that begins inside it.
    NUMERIC.lastIndex = match.index + 1
    const { a, b, y, s1, s2 } = match.groups!
    const digits = (a! + b! + y!).replaceAll(/\D/g, '').length
    if (digits < 3 || s1!.trim() !== s2!.trim()) {
      // "25/12.2018" is a slip of OCR; with spaces around different marks it is something else.
      if (digits < 3 || s1!.includes(' ') || s2!.includes(' ')) continue
    }
    // Two-digit years after points or commas look like amounts and versions: ask for a full form.
    if (y!.length === 2 && /[,']/.test(s1!)) continue
    if (y!.length === 2 && s1!.trim() === '.' && (a!.length !== 2 || b!.length !== 2)) continue
    if (
      /[.,]/.test(s1!) &&
      /^[.,]\d/.test(row.text.slice(match.index + match[0].length)) &&
      y!.length === 2
    )
      continue
    const first = number(a!)
    const second = number(b!)
    const printedYear = number(y!)
    const year = thai && printedYear < 100 ? printedYear + 2500 : printedYear
    const dayFirst = isoOf(year, second, first)
    const monthFirst = isoOf(year, first, second)
    let iso = dayFirst ?? monthFirst
    let yearLed = false
    if (!iso && y!.length === 2) {
      // "18/03/25" is not day-first possible only when the last part is no year; try year-first.
      iso = isoOf(first, second, year)
      yearLed = iso !== null
    }
    if (!iso) continue
    NUMERIC.lastIndex = next
    found.push({
      iso,
      row: row.index,
      start: match.index,
      end: match.index + match[0].length,
      ambiguous: dayFirst !== null && monthFirst !== null && dayFirst !== monthFirst,
      monthFirst: dayFirst === null && monthFirst !== null,
      weak: y!.length === 2 || yearLed || /[A-Za-z|]/.test(match[0]),
      parts: yearLed ? null : [first, second, year],
    })
  }
  return found
}

function namedDates(row: Row): FoundDate[] {
  const found: FoundDate[] = []
  const text = capitalsInPlace(row.text)
  const push = (match: RegExpExecArray, month: number | null, year?: number): void => {
    const { d, y } = match.groups!
    const iso = month ? isoOf(year ?? Number(y), month, Number(d)) : null
    if (!iso) return
    found.push({
      iso,
      row: row.index,
      start: match.index,
      end: match.index + match[0].length,
      ambiguous: false,
      monthFirst: false,
      weak: y!.length === 2,
      parts: null,
    })
  }
  for (const match of text.matchAll(YEAR_FIRST)) push(match, Number(match.groups!.m))
  for (const pattern of [CJK, VIETNAMESE])
    for (const match of text.matchAll(pattern)) push(match, Number(match.groups!.m))
  for (const match of text.matchAll(REIWA))
    push(match, Number(match.groups!.m), 2018 + Number(match.groups!.y))
  for (const match of text.matchAll(COMPACT)) push(match, Number(match.groups!.m))
  for (const match of text.matchAll(ONE_SLASH))
    // Only where one is left, and a label or a time says that it is a date.
    if (
      (match.groups!.s1 === '') !== (match.groups!.s2 === '') &&
      /DATE|TARIKH|DATUM|\d{1,2}:\d{2}/.test(text)
    )
      push(match, Number(match.groups!.m))
  for (const pattern of [DAY_MONTH, MONTH_DAY, MONTH_DAY_TICK, YEAR_MONTH_DAY])
    for (const match of text.matchAll(pattern)) push(match, monthOfName(match.groups!.m!))
  return found
}

/** Every date of a row, without those inside a longer one; `thai` counts two digits from 2500. */
export function datesOfRow(row: Row, thai = false): FoundDate[] {
  if (!/\d/.test(row.text)) return []
  const all = [...namedDates(row), ...numericDates(row, thai)].toSorted(
    (a, b) => a.start - b.start || b.end - a.end,
  )
  const kept: FoundDate[] = []
  for (const date of all) {
    const clash = kept.find((k) => date.start < k.end && date.end > k.start)
    if (!clash) kept.push(date)
    // "Check-out 13/03/2026": what a month's short name seems to begin is a word.
    else if (clash.weak && !date.weak && clash.start < date.start && clash.end < date.end)
      kept[kept.indexOf(clash)] = date
  }
  return kept
}

/** The end of a line that a date goes on from: "of May", "of May 26,". */
const DATE_BEGUN = new RegExp(String.raw`(?<![A-Z])(?:${MONTH_SOURCE})\.?(?: \d{1,2},?)?$`)

/** Dates that a sentence parts at the end of its line, as of the line in which they end. */
function wrappedDates(rows: readonly Row[]): FoundDate[] {
  return rows.flatMap((row, at) => {
    const over = rows[at - 1]
    if (!over || over.page !== row.page || over.cells.length > 1 || row.cells.length > 1) return []
    const begun = DATE_BEGUN.exec(capitalsInPlace(over.text))
    if (!begun || !/^\d/.test(row.text)) return []
    const head = `${over.text.slice(begun.index)} `
    return datesOfRow({ ...row, text: head + row.text })
      .filter(({ start, end }) => start < head.length && end > head.length)
      .map((date) => ({ ...date, start: 0, end: date.end - head.length }))
  })
}

/** "18. Februar" or "May, 11": a day that lacks its year. */
const DAY_ALONE = new RegExp(
  String.raw`^\W*(?:\d{1,2}(?:ST|ND|RD|TH|\.)? ?(?:OF |DE )?(?:${MONTH_SOURCE})|(?:${MONTH_SOURCE})[., ]{1,3}\d{1,2}(?:ST|ND|RD|TH)?),?$`,
)
/** Columns by which a year may stand left of the day that it ends. */
const YEAR_SLACK = 2

/** Days of a narrow cell whose year stands alone under them in its column, as of the day's line. */
function daysOverYears(rows: readonly Row[]): FoundDate[] {
  return rows.flatMap((row, at) => {
    const over = rows[at - 1]
    if (!over || over.page !== row.page || row.gapAbove > 1) return []
    return row.cells.flatMap((year) => {
      if (!/^20\d{2}[.,]?$/.test(year.text)) return []
      const from = over.cells.findIndex((cell) => Math.abs(cell.x0 - year.x0) <= YEAR_SLACK)
      if (from === -1) return []
      // Justified words stand apart: "18." and "Februar" are two cells.
      const words = over.cells.slice(from, from + 2).map(({ text }) => text.trim())
      const day = [words[0]!, words.join(' ')].find((text) => DAY_ALONE.test(capitalsInPlace(text)))
      if (day === undefined) return []
      const start = over.text.indexOf(over.cells[from]!.text)
      return datesOfRow({ ...over, text: `${day} ${year.text}` })
        .slice(0, 1)
        .map((date) => ({ ...date, start, end: start + day.length }))
    })
  })
}

const NUMBER_LABEL = /(?:\b(?:NO|NR|NUMBER|NUMMER|NUMERO|NUM|REF|ID)\b\.?|N[°º]|#)\s*:?\s*$/

/** Whether a date is part of a document's number ("INV-04-17-2024", "Ref 05/28/2024-7"). */
function isInCode(text: string, { start, end }: FoundDate): boolean {
  return (
    /[\p{L}\d][-/_.]?$/u.test(text.slice(0, start)) ||
    /^[-/_]?[\p{L}\d]|^-/u.test(text.slice(end)) ||
    NUMBER_LABEL.test(capitalsInPlace(text.slice(0, start)))
  )
}

/**
 * All dates of a document. Where one of them can only be month-first and none only day-first, the
 * document writes month-first and ambiguous numeric ones are read so.
 */
export function findDates(document: DocumentText): FoundDate[] {
  const printed = [
    ...document.rows.flatMap((row) => datesOfRow(row)),
    ...wrappedDates(document.rows),
    ...daysOverYears(document.rows),
  ]
  // Thai papers of four-digit western years write two digits in the same era.
  const thai =
    document.rows.some((row) => /\p{Script=Thai}{3}/u.test(row.text)) &&
    !document.rows.some((row) => /(?<!\d)20[12]\d(?!\d)/.test(row.text))
  const dates = thai ? document.rows.flatMap((row) => datesOfRow(row, true)) : printed
  // Two-digit years are proof only together: one alone may be anything.
  const free = dates.filter((d) => !isInCode(document.rows[d.row]!.text, d))
  const proofs = free.filter((d) => d.monthFirst)
  const monthFirst = proofs.some((d) => !d.weak) || proofs.length > 1
  const dayFirst = free.some((d) => d.parts !== null && !d.monthFirst && d.parts[0] > 12)
  if (!monthFirst || dayFirst) return dates
  return dates.map((date) => {
    if (!date.ambiguous || !date.parts) return date
    const [first, second, year] = date.parts
    return { ...date, iso: isoOf(year, first, second) ?? date.iso, ambiguous: false }
  })
}
