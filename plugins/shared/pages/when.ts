/** Moments as people read them: local, with UTC on hover. */
import { h } from './dom.ts'

const SECOND_MS = 1000
const UNITS = [
  ['day', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', SECOND_MS],
] as const

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** The local time of an ISO text; '–' for none. */
export function moment(iso: string | null | undefined): HTMLElement {
  if (iso === null || iso === undefined) return h('span', { class: 'none' }, '–')
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return h('span', {}, iso)
  return h('time', { datetime: iso, title: `${at.toISOString()} (UTC)` }, local.format(at))
}

/** '3 min', '2 days 4 h': how long `from` lies before `to`. */
export function ageText(from: string | Date, to: Date): string {
  let restMs = Math.max(0, to.getTime() - new Date(from).getTime())
  const parts: string[] = []
  for (const [unit, unitMs] of UNITS) {
    const count = Math.floor(restMs / unitMs)
    restMs %= unitMs
    if (count > 0) parts.push(`${count} ${unit}${unit === 'day' && count > 1 ? 's' : ''}`)
  }
  return parts.slice(0, 2).join(' ') || '0 s'
}
