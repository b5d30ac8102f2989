/** The lower and upper ends of a range: 'salary_min' from 'Salary: €2,400 - €2,900'. */
import { textsOf } from '../harvest/harvest.ts'
import { numberIn } from './numbers.ts'

const LOW = /(?:^| )(?:min|minimum|low|lower|lowest|from|start(?:ing)?)(?: |$)/
const HIGH = /(?:^| )(?:max|maximum|high|upper|highest|to|end)(?: |$)/
const RANGE =
  /(\d[\d.,'’\u00a0]*\s?(?:k|m|mio|million|thousand)?)\s?(?:€|\$|£|[A-Z]{3})?\s*(?:-|–|—|\bto\b|\bbis\b|\bà\b|\bhasta\b|\ba\b|\btot\b|\bdo\b|до)\s*(?:€|\$|£|[A-Z]{3})?\s?(\d[\d.,'’\u00a0]*\s?(?:k|m|mio|million|thousand)?)/i

/** The key without the word for an end, and which end it asks for; null for any other key. */
export function endOf(key: string): { key: string; end: 1 | 2 } | null {
  for (const [pattern, end] of [
    [LOW, 1],
    [HIGH, 2],
  ] as const) {
    if (pattern.test(key)) return { key: key.replace(pattern, ' ').trim(), end }
  }
  return null
}

/** One end of the range that a value states, or null when it states none. */
export function rangeEnd(value: unknown, end: 1 | 2): number | null {
  const found = RANGE.exec(textsOf(value)[0] ?? '')
  if (!found) return null
  const scale = /(?:k|m|mio|million|thousand)$/i.exec(found[2]!.trim())?.[0]
  const text = found[end]!.trim()
  return numberIn(end === 1 && scale && /\d$/.test(text) ? `${text}${scale}` : text)
}
