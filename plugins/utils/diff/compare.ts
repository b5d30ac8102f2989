/** The whole comparison of two documents, pure and synchronous. */
import { compareOpenApi, openSession } from './openapi/compare.ts'
import { type FormatChoice, type InputProblem, readDocuments } from './parse.ts'
import type { Family } from './document.ts'
import { Collector, type Report } from './report.ts'
import type { Direction } from './types.ts'

export interface DiffOrder {
  /** An object, or JSON or YAML text of one. */
  before: unknown
  after: unknown
  format?: FormatChoice
  direction?: Direction | 'both'
  /** Milliseconds since the epoch, for sunset dates. */
  now: number
}
export type DiffOutcome =
  | ({ ok: true; format: Family } & Report)
  | { ok: false; problems: InputProblem[] }

/**
 * Every change from `before` to `after` with its level, or what is wrong with the documents.
 * Without a direction an OpenAPI document is compared both ways, each part as it travels, and a
 * JSON Schema as a request: what was valid must stay valid.
 */
export function compareDocuments(order: DiffOrder): DiffOutcome {
  const read = readDocuments(order.before, order.after, order.format ?? 'auto')
  if (!read.ok) return read
  const { before, after, family } = read
  const direction = order.direction ?? (family === 'openapi' ? 'both' : 'request')
  const directions: Direction[] = direction === 'both' ? ['request', 'response'] : [direction]
  const collector = new Collector()
  const session = openSession(before, after, collector, new Set(directions), new Date(order.now))
  if (family === 'openapi') compareOpenApi(session)
  else {
    for (const one of directions) {
      const site = { direction: one, scope: { kind: 'body' as const } }
      session.schemas(
        site,
        'json',
        { raw: before.root, pointer: '' },
        { raw: after.root, pointer: '' },
      )
    }
  }
  return { ok: true, format: family, ...collector.report() }
}
