/** Which parts of a schema are compared by themselves. */

/** Keywords whose value is one schema and which are compared part by part. */
export const PARTS = [
  'items',
  'propertyNames',
  'not',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
] as const
