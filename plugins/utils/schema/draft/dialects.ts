/** The dialects that a draft can be written in; drafts are made in the words of 2020-12. */

export type JsonSchema = Record<string, unknown>

export const DRAFT_DIALECTS = ['draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12'] as const
export type DraftDialect = (typeof DRAFT_DIALECTS)[number]

/** Turns one schema object, not what is below it, into the words of another dialect. */
type Adapt = (schema: JsonSchema) => JsonSchema

/** Before 2020-12 a tuple was a list in `items`. */
const withItemLists: Adapt = ({ prefixItems, ...schema }) =>
  prefixItems === undefined ? schema : { ...schema, items: prefixItems }

/** Draft-04 has no word for the form of names. */
const withoutNames: Adapt = (schema) => {
  const { propertyNames: _, ...rest } = schema
  return withItemLists(rest)
}

const same: Adapt = (schema) => schema

export const DIALECTS: Readonly<Record<DraftDialect, { uri: string; adapt: Adapt }>> = {
  'draft-04': { uri: 'http://json-schema.org/draft-04/schema#', adapt: withoutNames },
  'draft-06': { uri: 'http://json-schema.org/draft-06/schema#', adapt: withItemLists },
  'draft-07': { uri: 'http://json-schema.org/draft-07/schema#', adapt: withItemLists },
  '2019-09': { uri: 'https://json-schema.org/draft/2019-09/schema', adapt: withItemLists },
  '2020-12': { uri: 'https://json-schema.org/draft/2020-12/schema', adapt: same },
}

/** The drafted schema and all below it, adapted. */
export function adapted(schema: JsonSchema, adapt: Adapt): JsonSchema {
  const own = adapt(schema)
  const out: JsonSchema = {}
  for (const [key, value] of Object.entries(own)) out[key] = below(key, value, adapt)
  return out
}

function below(key: string, value: unknown, adapt: Adapt): unknown {
  if (key === 'properties')
    return Object.defineProperties(
      {},
      Object.fromEntries(
        Object.entries(value as JsonSchema).map(([name, one]) => [
          name,
          {
            value: adapted(one as JsonSchema, adapt),
            enumerable: true,
            configurable: true,
            writable: true,
          },
        ]),
      ),
    )
  if (Array.isArray(value) && (key === 'items' || key === 'prefixItems'))
    return value.map((one) => adapted(one as JsonSchema, adapt))
  const isSchema = key === 'items' || key === 'additionalProperties'
  return isSchema ? adapted(value as JsonSchema, adapt) : value
}
