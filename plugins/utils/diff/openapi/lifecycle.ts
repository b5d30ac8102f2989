/**
 * Deprecation, sunset and stability: what an author announced decides whether a removal breaks.
 * `x-sunset` is an RFC 3339 date; `x-stability-level` is draft, alpha, beta or stable.
 */
import { type JsonMap, show } from '../pointer.ts'
import type { Level } from '../types.ts'
import type { OperationPair } from './model.ts'
import type { Session } from './session.ts'

const STABILITY = ['draft', 'alpha', 'beta', 'stable']

/** True for an endpoint whose stability level allows any change. */
export function isUnstable(operation: JsonMap): boolean {
  return operation['x-stability-level'] === 'draft' || operation['x-stability-level'] === 'alpha'
}

/** The sunset date of an object: a date, null when absent, 'invalid' when it is not one. */
function sunsetOf(raw: JsonMap): Date | null | 'invalid' {
  const value = raw['x-sunset']
  if (value === undefined || value === null) return null
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d(?:$|T)/.test(value)) return 'invalid'
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? 'invalid' : date
}

export interface Removal {
  ending: 'without-deprecation' | 'with-deprecation' | 'before-sunset' | 'sunset-parse'
  level: Level
  message: string
}

/** How a removal is to be judged by what the removed thing announced. */
export function removal(raw: JsonMap, today: Date): Removal {
  if (raw.deprecated !== true) {
    return { ending: 'without-deprecation', level: 'breaking', message: 'without deprecation' }
  }
  const sunset = sunsetOf(raw)
  if (sunset === 'invalid') {
    return { ending: 'sunset-parse', level: 'breaking', message: 'with an invalid sunset date' }
  }
  if (sunset && sunset > today) {
    return {
      ending: 'before-sunset',
      level: 'breaking',
      message: `before the sunset date ${day(sunset)}`,
    }
  }
  return { ending: 'with-deprecation', level: 'info', message: 'after deprecation' }
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/** Reports changed deprecation, sunset and stability of an endpoint. */
export function compareLifecycle(session: Session, { before, after }: OperationPair): void {
  const add = (id: string, level: Level, message: string) =>
    session.collector.add({
      id,
      level,
      location: after.pointer,
      operation: after.label,
      message,
    })
  const [was, is] = [before.raw.deprecated === true, after.raw.deprecated === true]
  if (was && !is) add('endpoint-reactivated', 'info', 'endpoint is no longer deprecated')
  if (!was && is) deprecated(after.raw, session.today, add)
  if (was && is) compareSunsets('api', before.raw, after.raw, add)
  compareStability(before.raw, after.raw, add)
}

type Add = (id: string, level: Level, message: string) => void

function deprecated(raw: JsonMap, today: Date, add: Add): void {
  const sunset = sunsetOf(raw)
  if (sunset === null) add('endpoint-deprecated', 'info', 'endpoint is deprecated now')
  else if (sunset === 'invalid') {
    add('api-deprecated-sunset-parse', 'breaking', `sunset ${show(raw['x-sunset'])} is not a date`)
  } else if (sunset < startOf(today)) {
    add('api-sunset-date-too-small', 'breaking', `sunset date ${day(sunset)} is in the past`)
  } else
    add('endpoint-deprecated-with-sunset', 'info', `endpoint is deprecated, sunset ${day(sunset)}`)
}

function startOf(date: Date): Date {
  return new Date(`${day(date)}T00:00:00Z`)
}

/** A sunset date may be moved away, never closer, and never be taken back silently. */
export function compareSunsets(
  kind: 'api' | 'request-parameter',
  a: JsonMap,
  b: JsonMap,
  add: Add,
): void {
  const [old, now] = [sunsetOf(a), sunsetOf(b)]
  if (old !== null && now === null) {
    const id = kind === 'api' ? 'sunset-deleted' : 'request-parameter-sunset-deleted'
    add(id, 'breaking', 'sunset date was deleted, but deprecated was kept')
  } else if (now === 'invalid' && old !== 'invalid') {
    const id = kind === 'api' ? 'api-deprecated-sunset-parse' : 'request-parameter-sunset-parse'
    add(id, 'breaking', `sunset ${show(b['x-sunset'])} is not a date`)
  } else if (old instanceof Date && now instanceof Date && now < old) {
    const id = `${kind}-sunset-date-changed-too-small`
    add(id, 'breaking', `sunset date was moved from ${day(old)} to the earlier ${day(now)}`)
  }
}

function compareStability(a: JsonMap, b: JsonMap, add: Add): void {
  const [old, now] = [a['x-stability-level'], b['x-stability-level']]
  for (const level of [old, now]) {
    if (level !== undefined && !STABILITY.includes(String(level))) {
      add(
        'api-invalid-stability-level',
        'breaking',
        `stability level ${show(level)} is none of ${STABILITY.join(', ')}`,
      )
      return
    }
  }
  if (old === undefined || old === now) return
  const rank = now === undefined ? -1 : STABILITY.indexOf(String(now))
  const decreased = rank < STABILITY.indexOf(String(old))
  const message = `stability level went from ${show(old)} to ${show(now ?? 'none')}`
  if (decreased) add('api-stability-decreased', 'breaking', message)
  else add('api-stability-increased', 'info', message)
}
