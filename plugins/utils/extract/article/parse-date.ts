/** Dates as people and machines write them, to ISO 8601. */
import { MONTH_NAME as MONTH, monthOf } from './months.ts'

const pad = (value: number): string => String(value).padStart(2, '0')

/** The calendar date, or null when there is no such day or it is out of a page's reach. */
function dateOf(year: number, month: number, day: number): string | null {
  const full = year < 100 ? (year > 69 ? 1900 + year : 2000 + year) : year
  if (full < 1900 || full > 2100 || month < 1 || month > 12 || day < 1) return null
  if (day > new Date(Date.UTC(full, month, 0)).getUTCDate()) return null
  return `${full}-${pad(month)}-${pad(day)}`
}

const ISO =
  /(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2}\b)?)?/i
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})?)?/
const DAY_MONTH = new RegExp(
  `(?<![\\d:])(\\d{1,2})(?:st|nd|rd|th|er|º|\\.)?(?:\\s+de|\\s+of|\\s+d[’'])?[\\s-]*(?<![\\p{L}])${MONTH}\\.?,?(?:\\s+de|\\s+del)?(?:[\\s,-]+|(?<=\\.))(\\d{4})(?!\\d)`,
  'iu',
)
const MONTH_DAY = new RegExp(
  `(?<!\\p{L})${MONTH}\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(?:at\\s+)?(\\d{4})(?!\\d)`,
  'iu',
)
/** As the C library writes it: Sep 14 20:11:07 CEST 2011. */
const CLOCK_BETWEEN = new RegExp(
  `(?<!\\p{L})${MONTH}\\s+(\\d{1,2}),?\\s+(?:at\\s+)?(\\d{1,2}:\\d{2}(?::\\d{2})?)\\s+(?:[A-Z]{2,5}\\s+|[+-]\\d{4}\\s+)?(\\d{4})(?!\\d)`,
  'iu',
)
const YEAR_MONTH_DAY = new RegExp(
  `(?<!\\d)(\\d{4})[.\\s,-]+${MONTH}\\.?[\\s-]+(\\d{1,2})(?!\\d)`,
  'iu',
)
const NUMERIC = /(?<![\d.])(\d{1,2})([./-])\s?(\d{1,2})\2\s?(\d{4}|\d{2})(?![\d.]\d|\d)/
const YEAR_FIRST = /(?<!\d)(\d{4})[./]\s?(\d{1,2})[./]\s?(\d{1,2})(?!\d)/
const EAST_ASIAN = /(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]?/
/** What every date has: a year, of which two digits stand behind a sign. It spares prose the names of months. */
const YEAR = /\d{4}|\d[./-]\s?\d{2}/
const CLOCK =
  /(?<!\d)(\d{1,2})[:.h](\d{2})(?::(\d{2}))?\s*(am|pm|a\.m\.|p\.m\.)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?/i

function zoneOf(zone: string | undefined): string {
  if (!zone) return ''
  if (/^(z|utc|gmt)$/i.test(zone)) return 'Z'
  const digits = zone.replace(':', '')
  return `${digits.slice(0, 3)}:${digits.slice(3, 5).padEnd(2, '0')}`
}

export interface DateOptions {
  /** 03/04/2024 is 4 March; default: the day comes first, unless only the other reading exists. */
  monthFirst?: boolean
}

interface Match {
  date: string
  /** The part of the text that is the date. */
  text: string
  index: number
  time: string
}

function timeAfter(text: string, from: number): string {
  const clock = CLOCK.exec(text.slice(from, from + 40))
  if (!clock || clock.index > 16) return ''
  let hour = Number(clock[1])
  const half = clock[4]?.toLowerCase()
  if (half?.startsWith('p') && hour < 12) hour += 12
  if (half?.startsWith('a') && hour === 12) hour = 0
  if (hour > 23 || Number(clock[2]) > 59) return ''
  return `T${pad(hour)}:${clock[2]}:${clock[3] ?? '00'}${zoneOf(clock[5])}`
}

function matchOf(
  found: RegExpExecArray | null,
  date: (found: RegExpExecArray) => string | null,
  text: string,
): Match | null {
  const value = found && date(found)
  if (!found || !value) return null
  return {
    date: value,
    text: found[0],
    index: found.index,
    time: timeAfter(text, found.index + found[0].length),
  }
}

/** The earliest date in the text with its time, if one stands beside it; null without a full date. */
export function findDate(text: string, options: DateOptions = {}): Match | null {
  const source = text.slice(0, 2000)
  if (!YEAR.test(source)) return null
  const iso = ISO.exec(source)
  const isoDate = iso && dateOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const found: (Match | null)[] = [
    iso && isoDate
      ? {
          date: isoDate,
          text: iso[0],
          index: iso.index,
          time: iso[4]
            ? `T${pad(Number(iso[4]))}:${iso[5]}:${iso[6] ?? '00'}${zoneOf(iso[7])}`
            : '',
        }
      : null,
    matchOf(
      DAY_MONTH.exec(source),
      (m) => dateOf(Number(m[3]), monthOf(m[2]!), Number(m[1])),
      source,
    ),
    matchOf(
      MONTH_DAY.exec(source),
      (m) => dateOf(Number(m[3]), monthOf(m[1]!), Number(m[2])),
      source,
    ),
    matchOf(
      CLOCK_BETWEEN.exec(source),
      (m) => dateOf(Number(m[4]), monthOf(m[1]!), Number(m[2])),
      source,
    ),
    matchOf(
      YEAR_MONTH_DAY.exec(source),
      (m) => dateOf(Number(m[1]), monthOf(m[2]!), Number(m[3])),
      source,
    ),
    matchOf(
      EAST_ASIAN.exec(source),
      (m) => dateOf(Number(m[1]), Number(m[2]), Number(m[3])),
      source,
    ),
    matchOf(
      YEAR_FIRST.exec(source),
      (m) => dateOf(Number(m[1]), Number(m[2]), Number(m[3])),
      source,
    ),
    matchOf(
      NUMERIC.exec(source),
      (m) => {
        const [a, b, year] = [Number(m[1]), Number(m[3]), Number(m[4])]
        const dayFirst = dateOf(year, b, a)
        const monthFirst = dateOf(year, a, b)
        // Points are written by those who put the day first, also in an English page.
        const isMonthFirst = options.monthFirst === true && m[2] !== '.'
        return isMonthFirst ? (monthFirst ?? dayFirst) : (dayFirst ?? monthFirst)
      },
      source,
    ),
  ]
  return found.reduce((best, one) => (one && (!best || one.index < best.index) ? one : best), null)
}

/** A whole value as an ISO date or date-time; null when it is no date. Zones are kept as written. */
export function parseDate(value: string, options: DateOptions = {}): string | null {
  const text = value.trim()
  if (/^\d{10}$|^\d{13}$/.test(text)) {
    const at = new Date(Number(text) * (text.length === 10 ? 1000 : 1))
    return at.getUTCFullYear() > 1990 && at.getUTCFullYear() < 2100
      ? at.toISOString().replace('.000Z', 'Z')
      : null
  }
  const compact = COMPACT.exec(text)
  if (compact) {
    const date = dateOf(Number(compact[1]), Number(compact[2]), Number(compact[3]))
    if (date) return compact[4] ? `${date}T${compact[4]}:${compact[5]}:${compact[6] ?? '00'}` : date
  }
  const found = findDate(text, options)
  return found && `${found.date}${found.time}`
}
