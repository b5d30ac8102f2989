/** The whole comparison of two documents, pure and synchronous. */
import { compareOpenApi } from './openapi/compare.ts'
import { openSession } from './openapi/session.ts'
import { unbundled } from './bundle.ts'
import { changelogOf } from './changelog.ts'
import type { Document, Family } from './document.ts'
import { type Documents, type FormatChoice, type InputProblem, readDocuments } from './parse.ts'
import { show } from './pointer.ts'
import { Policy, type PolicyOrder } from './policy.ts'
import { Collector, type Report } from './report.ts'
import type { Direction } from './types.ts'

/** Most references listed that could not be followed. */
const WARNINGS_MAX = 100

/** The documents are objects, or JSON or YAML text of them. */
export interface DiffOrder extends Documents, PolicyOrder {
  format?: FormatChoice
  /** The form of the changelog that is asked for. */
  changelog?: 'markdown' | 'text'
  direction?: Direction | 'both'
  /** Milliseconds since the epoch, for sunset dates. */
  now: number
}
/** Something of the documents that could not be compared. */
export interface DiffWarning {
  code: 'unresolved_reference'
  /** Pointer into the request body. */
  path: string
  message: string
}
export type DiffOutcome =
  | ({ ok: true; format: Family; warnings?: DiffWarning[]; changelog?: string } & Report)
  | { ok: false; problems: InputProblem[] }

/**
 * Every change from `before` to `after` with its level, or what is wrong with the documents.
 * Without a direction an OpenAPI document is compared both ways, each part as it travels, and a
 * JSON Schema as a request: what was valid must stay valid.
 */
export function compareDocuments(order: DiffOrder): DiffOutcome {
  const read = readDocuments(order, order.format ?? 'auto')
  if (!read.ok) return read
  const { before, after, family } = read
  const direction = order.direction ?? (family === 'openapi' ? 'both' : 'request')
  const directions: Direction[] = direction === 'both' ? ['request', 'response'] : [direction]
  const collector = new Collector(new Policy(order))
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
  const report = collector.report()
  const changes = report.changes.map((one) => ({ ...one, location: unbundled(one.location) }))
  const whole = { ...report, changes }
  const warnings = warningsOf({ before, after })
  return {
    ok: true,
    format: family,
    ...whole,
    ...(warnings.length > 0 && { warnings }),
    ...(order.changelog && { changelog: changelogOf(whole, order.changelog) }),
  }
}

/** References that were met and could not be followed: what they name was not compared. */
function warningsOf(documents: { before: Document; after: Document }): DiffWarning[] {
  const warnings = (['before', 'after'] as const).flatMap((side) =>
    [...documents[side].unresolved].map(([reference, pointer]) => ({
      code: 'unresolved_reference' as const,
      path: `/${side}${unbundled(pointer)}`,
      message: `refers to ${show(reference)}, which is not among the documents given: what it names was not compared`,
    })),
  )
  return warnings.slice(0, WARNINGS_MAX)
}
