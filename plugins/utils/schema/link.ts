/**
 * The form in which the validation library gets a schema and the documents given along, so that each
 * reference leads where it was resolved to.
 */
import type { XSchema } from 'typebox/schema'
import { KNOWN_SCHEMAS } from './dialect.ts'
import { apartName, define, type Preparation, prepareSchema } from './prepare.ts'
import type { GivenSchema, ReferenceCheck } from './references.ts'

export interface Linked {
  schema: XSchema
  /** What references lead to, by what they say. */
  context: Record<string, XSchema>
  /** By the schema object as it was written: its form here, where references stand for themselves. */
  copies?: ReadonlyMap<object, unknown>
}

/**
 * Every `$ref` names its target by a number, and nothing else has a name: left to itself, the library
 * compares the paths of addresses without their hosts, and does not know the ids that documents given
 * along have or hold. Null where references go by the way on which validation came, or into an official
 * meta-schema, for which names are needed.
 */
export function linkedByTarget(
  main: GivenSchema,
  given: readonly GivenSchema[],
  { usesMeta, isDynamic, hasUnevaluated, targets }: ReferenceCheck,
  assertFormat: boolean,
): Linked | null {
  if (usesMeta || isDynamic) return null
  const numbers = new Map<unknown, string>()
  const references = new Map<object, string>()
  for (const [from, target] of targets) {
    const number = numbers.get(target) ?? `#${numbers.size}`
    numbers.set(target, number)
    references.set(from, number)
  }
  const copies = new Map<object, unknown>()
  const apart: unknown[] = []
  const form: Preparation = {
    references,
    copies,
    isNameless: true,
    ...(hasUnevaluated && { apart }),
  }
  const schema = prepared(main, assertFormat, form)
  for (const one of given) prepared(one, assertFormat, form)
  const context: Record<string, XSchema> = {}
  for (const [index, part] of apart.entries()) context[apartName(index)] = part as XSchema
  for (const [target, number] of numbers) {
    const copy = typeof target === 'boolean' ? target : copies.get(target as object)
    // It stands in a value, such as a default, which is no schema.
    if (copy === undefined) return null
    context[number] = copy as XSchema
  }
  // Without a dialect the library searches the whole document for the base of each reference.
  if (typeof schema === 'object') define(schema as Record<string, unknown>, '$schema', '')
  return { schema, context, copies }
}

/** References stay as they are written, and the library resolves them by the names of schemas. */
export function linkedByName(
  main: GivenSchema,
  given: readonly GivenSchema[],
  { usesMeta, fromResource, resources }: ReferenceCheck,
  assertFormat: boolean,
): Linked {
  const copies = new Map<object, unknown>()
  const form: Preparation = { references: fromResource, copies }
  const context: Record<string, XSchema> = usesMeta ? { ...KNOWN_SCHEMAS } : {}
  for (const one of given) context[one.uri] = prepared(one, assertFormat, form)
  for (const [uri, resource] of resources) {
    const copy = copies.get(resource as object)
    if (copy !== undefined && !(uri in context)) context[uri] = copy as XSchema
  }
  return { schema: prepared(main, assertFormat, form), context }
}

const prepared = (
  { schema, draft, ignored }: GivenSchema,
  assertFormat: boolean,
  form: Preparation,
): XSchema =>
  prepareSchema(schema, draft, () => assertFormat, {
    ...(ignored && { ignored }),
    ...form,
  }) as XSchema
