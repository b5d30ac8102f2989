/** Judges a report about two schemas by values: what one of them accepts and the other refuses. */
import { Ajv, type Options } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { compareDocuments } from '../../../../../../plugins/utils/diff/compare.ts'
import { valueAt } from '../../../../../../plugins/shared/json-pointer.ts'
import { isMap } from '../../../../../../plugins/utils/diff/pointer.ts'
import type { Change, Direction } from '../../../../../../plugins/utils/diff/types.ts'

/**
 * - found, quiet: the report is right, as far as the values show it.
 * - missed: a value shows a break and the report has none.
 * - agreed: the same, of a kind that is information by agreement.
 * - unshown: the report has a breaking change and no value shows one.
 * - doubted: the report has warnings alone and no value shows a break.
 */
export type Verdict = 'found' | 'quiet' | 'missed' | 'agreed' | 'unshown' | 'doubted'

export interface Judgement {
  verdict: Verdict
  /** A value that shows the break. */
  witness?: { value: unknown }
  changes: readonly Change[]
  /** Serious changes whose location leads nowhere, or elsewhere than where the change was made. */
  misplaced: readonly Change[]
}

/** What an open object is told of a name that it took without a word is no break by agreement. */
const AGREED =
  /^(?:new-optional-request-property|response-(?:optional|required)-(?:write-only-)?property-(?:added|removed)|.*additional-properties.*)$/

const OPTIONS: Options = {
  strict: false,
  validateFormats: false,
  logger: false,
  addUsedSchema: false,
}

/** One for each dialect: each compiles the schema of schemas first, which takes most of a check's time. */
const DIALECTS = {
  draft07: new Ajv(OPTIONS),
  draft2019: new Ajv2019(OPTIONS),
  draft2020: new Ajv2020(OPTIONS),
}

/** A check of values against a schema by ajv; null for a schema that it does not take. */
export function checkOf(schema: unknown): ((value: unknown) => boolean) | null {
  const dialect = isMap(schema) && typeof schema.$schema === 'string' ? schema.$schema : ''
  const { draft07, draft2019, draft2020 } = DIALECTS
  const ajv = /2019/.test(dialect) ? draft2019 : /draft-0/.test(dialect) ? draft07 : draft2020
  try {
    const { $schema: _, ...plain } = schema as { $schema?: unknown }
    const read = ajv === draft07 ? aloneReferences(plain) : plain
    const used = typeof schema === 'boolean' ? schema : (read as object)
    const check = ajv.compile(used)
    // It keeps what it compiled by the object otherwise.
    ajv.removeSchema(used)
    return (value) => check(value) === true
  } catch {
    return null
  }
}

/** `schema` without what stands beside references: draft-07 and older do not heed it, but ajv does. */
function aloneReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(aloneReferences)
  if (!isMap(schema)) return schema
  const isReference = typeof schema.$ref === 'string'
  const kept = Object.entries(schema).filter(
    ([key]) => !isReference || ['$ref', '$defs', 'definitions'].includes(key),
  )
  return Object.fromEntries(kept.map(([key, value]) => [key, aloneReferences(value)]))
}

/** Whether a change at `location` is one of what stands at `pointer`. */
function isAbout(location: string, pointer: string): boolean {
  return `${location}/`.startsWith(`${pointer}/`) || `${pointer}/`.startsWith(`${location}/`)
}

/** How right the report of `before` and `after` is, judged by `values`; `pointer` is where they differ. */
export function judge(
  { before, after, pointer }: { before: unknown; after: unknown; pointer?: string },
  direction: Direction,
  values: readonly { value: unknown; before: boolean; after: boolean }[],
): Judgement {
  const outcome = compareDocuments({ before, after, direction, format: 'json-schema', now: 0 })
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
  const { breaking, changes, summary } = outcome
  const witness = values.find((one) =>
    direction === 'request' ? one.before && !one.after : one.after && !one.before,
  )
  const serious = changes.filter(({ level }) => level !== 'info')
  const misplaced = serious.filter(
    ({ location }) =>
      [before, after].every((root) => location !== '' && valueAt(root, location) === undefined) ||
      (pointer !== undefined && !isAbout(location, pointer)),
  )
  const isAgreed = changes.some(({ id, level }) => level === 'info' && AGREED.test(id))
  const unshown = summary.breaking > 0 ? 'unshown' : 'doubted'
  const missed = isAgreed ? 'agreed' : 'missed'
  const verdict: Verdict = breaking ? (witness ? 'found' : unshown) : witness ? missed : 'quiet'
  return { verdict, changes, misplaced, ...(witness && { witness: { value: witness.value } }) }
}
