/** What is wrong with an instance, keyword by keyword, and where each of them is written. */
import { Errors } from 'typebox/schema'
import { Settings } from 'typebox/system'
import { escapePointer, pointerKeys, valueAt } from '../../shared/json-pointer.ts'
import { isMap } from '../diff/pointer.ts'
import type { Linked } from './link.ts'
import { REFINE } from './prepare.ts'
import type { SchemaPlace } from './references.ts'

/** Most errors reported of one instance. */
export const ERRORS_MAX = 200
/** Most steps to the place of one keyword: what stands beside references makes several ways. */
const STEPS_MAX = 2_000

export interface SchemaError {
  /** RFC 6901 pointer into the instance; '' is the whole of it. */
  instancePath: string
  /**
   * Pointer to the keyword inside the schema, as a URI fragment: '#/properties/a/type'; in a document
   * given along, after its name.
   */
  schemaPath: string
  keyword: string
  message: string
}

/** The schema as its author wrote it. */
export interface Written {
  schema: unknown
  /** Whether `$ref` hides what stands beside it. */
  hidesSiblings: boolean
  /** By the schema object: what its `$ref` leads to. */
  targets: ReadonlyMap<object, unknown>
  places: ReadonlyMap<object, SchemaPlace>
}

/** The errors of an instance that is not valid, at most `ERRORS_MAX`; never none. */
export function explain(linked: Linked, instance: unknown, written?: Written): SchemaError[] {
  Settings.Set({ maxErrors: ERRORS_MAX })
  const errors = found(linked, instance, written).slice(0, ERRORS_MAX).map(readable)
  const listed = withoutSummaries(errors)
  if (listed.length === 0)
    return [{ instancePath: '', schemaPath: '#', keyword: 'schema', message: 'is not valid' }]
  if (!written) return listed
  return listed.map((error) => ({
    ...error,
    schemaPath: standing(written, error.schemaPath)?.path ?? error.schemaPath,
  }))
}

type Found = ReturnType<typeof Errors>[1][number]

/** The library's errors, with those of a `then` that was not met, which it keeps to itself. */
function found(linked: Linked, value: unknown, written: Written | undefined, at?: Found): Found[] {
  const [, errors] = Errors(linked.context, linked.schema, value)
  return errors
    .map((error) =>
      at
        ? {
            ...error,
            schemaPath: `${at.schemaPath}/then${error.schemaPath.slice(1)}`,
            instancePath: at.instancePath + error.instancePath,
          }
        : error,
    )
    .flatMap((error) => {
      if (error.keyword !== 'if' || error.params.failingKeyword !== 'then' || !written)
        return [error]
      const schema = standing(written, `${error.schemaPath}/then`)?.value
      const copy = isMap(schema) && linked.copies?.get(schema)
      if (!isMap(copy)) return [error]
      const inner = valueAt(value, error.instancePath.slice(at?.instancePath.length ?? 0))
      const then = { ...linked, schema: { ...copy, $schema: '' } }
      return [...found(then, inner, written, error), error]
    })
}

/**
 * What stands at a path of the library, which leads over references without a word, and the pointer by
 * which its reader finds it; null for a way over references that validation alone can tell.
 */
function standing(written: Written, path: string): { value: unknown; path: string } | null {
  const keys = pointerKeys(path.slice(1))
  let steps = 0
  const walk = (value: unknown, at: number, whole: string): ReturnType<typeof standing> => {
    if (at === keys.length) return { value, path: whole }
    if (typeof value !== 'object' || value === null || ++steps > STEPS_MAX) return null
    const target = written.targets.get(value)
    const key = keys[at]!
    if ((target === undefined || !written.hidesSiblings) && Object.hasOwn(value, key)) {
      const below = (value as Record<string, unknown>)[key]
      const own = walk(below, at + 1, `${whole}/${escapePointer(key)}`)
      if (own) return own
    }
    const place = isMap(target) ? written.places.get(target) : undefined
    return place ? walk(target, at, `${place.document ?? ''}#${place.pointer}`) : null
  }
  return walk(written.schema, 0, '#')
}

const REST = /\/((?:additional|unevaluated)(?:Properties|Items))$/

/** An error as it is reported: what `false` refused is named after the keyword that held it. */
function readable(error: SchemaError): SchemaError {
  const { instancePath, schemaPath, keyword, message } = error
  const rest = keyword === 'boolean' ? REST.exec(schemaPath)?.[1] : undefined
  if (rest) return { instancePath, schemaPath, keyword: rest, message: 'is not allowed here' }
  if (keyword === REFINE)
    return {
      instancePath,
      schemaPath: `${schemaPath}/uniqueItems`,
      keyword: 'uniqueItems',
      message,
    }
  const path = keyword === 'boolean' ? schemaPath : `${schemaPath}/${keyword}`
  return { instancePath, schemaPath: path, keyword, message }
}

/** Errors without those that only repeat that something below them failed. */
function withoutSummaries(errors: SchemaError[]): SchemaError[] {
  return errors.filter(
    (error) =>
      !REST.test(error.schemaPath) ||
      !errors.some(
        (other) =>
          other.schemaPath.startsWith(error.schemaPath) &&
          other.instancePath.startsWith(`${error.instancePath}/`),
      ),
  )
}
