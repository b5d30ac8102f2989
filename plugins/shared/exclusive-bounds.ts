/**
 * Exclusive bounds as JSON Schema draft 4 and OpenAPI 3.0 have them (`exclusiveMinimum: true` beside a
 * `minimum`), made those of later drafts, which are numbers of their own.
 */

/** Changes `schema` itself; a boolean without its bound asserts nothing and goes. */
export function numericBounds(schema: Record<string, unknown>): void {
  for (const [exclusive, inclusive] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue
    const asserted = schema[exclusive] && typeof schema[inclusive] === 'number'
    if (asserted) {
      schema[exclusive] = schema[inclusive]
      delete schema[inclusive]
    } else delete schema[exclusive]
  }
}
