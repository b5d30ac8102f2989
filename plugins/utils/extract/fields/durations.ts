/** How long something takes, as people and programs write it. */
import type { Fact } from './facts.ts'
import { groupOf } from './keys.ts'

const TAKING = new Set(['prep time', 'cook time', 'total time'])
/** Names of other things too: of a time of day, of a sum, of a person. */
const VAGUE = new Set(['time', 'total', 'prep', 'cook', 'recipe time'])
/** Parts of a total, which stand beside it under names as vague as its own. */
const PART = /\b(?:prep|preparation|cook|cooking|active|baking|bake|rest|chill)\b/i

const UNITS: readonly [minutes: number, words: string][] = [
  [1440, 'd|days?|tage?n?|jours?|d[ií]as?|giorn[io]|dag(?:en|er|ar)?'],
  [
    60,
    String.raw`h|hrs?|hours?|std\.?|stunden?|heures?|horas?|or[ae]|uur|uren|tim(?:er?|mar?)?|godz\p{L}*|hodin\p{L}*|óra|saat|час\p{L}*|ч|時間|小时|小時|시간`,
  ],
  [1, String.raw`m|mins?|minut\p{L}*|mn|perc|dk|dakika|мин\p{L}*|分钟|分鐘|分|분`],
  [1 / 60, String.raw`s|secs?|seconds?|sek\p{L}*|сек\p{L}*|秒`],
]
const NUMBER = String.raw`\d+\s+\d\/\d|\d\/\d|\d+(?:[.,]\d+)?\s?[½¼¾]?|[½¼¾]`
const UNIT = UNITS.map(([, words]) => `(${words})`).join('|')
const DURATION = new RegExp(String.raw`(?<![\d.,:/])(${NUMBER})\s?(?:${UNIT})(?!\p{L})\.?`, 'iu')
const EVERY_DURATION = new RegExp(DURATION, 'giu')
const ISO = /^P(?=.*\d)(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/i
/** Some sites compute less than nothing. */
const NEGATIVE = /^(?:-\s?P|PT?.*-\d)/
const CLOCK = /^(\d{1,2}):([0-5]\d)(?:\s?h)?$/i
/** A longer text tells a story. */
const LENGTH_MAX = 200
const BARE = /^\d+(?:[.,]\d+)?$/
/** Between the parts of one duration: "1 hour and 5 minutes". */
const JOINT = /^[\s,]*(?:and|und|et|y|e|en|og|och|&|\+)?\s*$/i
/** Before the upper end of a range. */
const RANGE = /\d\s*(?:-|–|—|to|bis|à|a|tot|or|oder)\s*$/i
const FRACTIONS: Readonly<Record<string, number>> = { '½': 0.5, '¼': 0.25, '¾': 0.75 }

function valueOf(text: string): number {
  const slash = /(?:(\d+)\s+)?(\d)\/(\d)/.exec(text)
  if (slash) return Number(slash[1] ?? 0) + Number(slash[2]) / Number(slash[3])
  const whole = Number(text.replace(/[½¼¾\s]/g, '').replace(',', '.') || 0)
  return whole + (FRACTIONS[text.at(-1)!] ?? 0)
}

/** Minutes of a text that says one length of time; null where it says none, a range or several. */
export function minutesIn(text: string): number | null {
  const plain = text.trim()
  if (plain.length > LENGTH_MAX || NEGATIVE.test(plain)) return null
  const iso = ISO.exec(plain)
  if (iso) {
    const [days, hours, minutes, seconds] = iso.slice(1).map((part) => Number(part ?? 0))
    return days! * 1440 + hours! * 60 + minutes! + seconds! / 60
  }
  const clock = CLOCK.exec(plain)
  if (clock) return Number(clock[1]) * 60 + Number(clock[2])
  // What is added in brackets is not part of it.
  const said = plain
    .replaceAll(/\([^()]*\)/g, ' ')
    .replaceAll(/(\d)\s?h\s?([0-5]\d)(?!\d|\s?m)/gi, '$1 h $2 min')
  let sum: number | null = null
  let end = 0
  for (const match of said.matchAll(EVERY_DURATION)) {
    if (RANGE.test(said.slice(Math.max(0, match.index - 12), match.index))) return null
    if (sum !== null && !JOINT.test(said.slice(end, match.index))) return null
    const unit = UNITS.findIndex((_, at) => match[at + 2] !== undefined)
    sum = (sum ?? 0) + valueOf(match[1]!) * UNITS[unit]![0]
    end = match.index + match[0].length
  }
  return sum
}

export const isVague = (key: string): boolean => VAGUE.has(key)

/** Whether a field is for how long something takes, such as `prep_time`. */
export const isTaking = (key: string): boolean => TAKING.has(groupOf(key)) && !isVague(key)

/** Whether a fact can answer such a field: it says a length of time, or its name leaves no doubt. */
export function saysTaking(key: string, fact: Pick<Fact, 'key' | 'value'>): boolean {
  const isNamed = !isVague(fact.key)
  if (typeof fact.value === 'number') return isNamed && fact.value > 0
  if (typeof fact.value !== 'string') return true
  const text = fact.value.trim()
  if (groupOf(key) === 'total time' && !isNamed && PART.test(text)) return false
  if (text.length > LENGTH_MAX || NEGATIVE.test(text)) return false
  if (CLOCK.test(text) || BARE.test(text)) return isNamed && /[1-9]/.test(text)
  const isZero = ISO.test(text) && !/[1-9]/.test(text)
  return (ISO.test(text) || DURATION.test(text)) && !(isZero && groupOf(key) === 'total time')
}

/** Whether a number for the key may be a length of time. */
const isTimed = (key: string): boolean =>
  isTaking(key) ||
  groupOf(key) === 'duration' ||
  /\b(?:time|minutes|mins|hours|hrs|seconds|secs)$/.test(key)

/**
 * A length of time as a number: minutes, or the hours or seconds that the key names. Null where the
 * text is no such thing, undefined where it is one of no single length.
 */
export function lengthIn(text: string, key: string): number | null | undefined {
  if (!isTimed(key)) return null
  const minutes = minutesIn(text)
  if (minutes === null) return DURATION.test(text) ? undefined : null
  const perMinute = /\b(?:hours|hrs)$/.test(key) ? 1 / 60 : /\b(?:seconds|secs)$/.test(key) ? 60 : 1
  return Math.round(minutes * perMinute * 100) / 100
}
