/** The form in which the validation library gets a schema. */
import { expect, it } from 'vitest'
import { prepareSchema } from '../../../../../plugins/utils/schema/prepare.ts'

const $schema = 'http://json-schema.org/draft-07/schema#'

it('keeps what a reference of draft-07 leads into and the dialect, and drops what it hides', () => {
  const schema = { $schema, $ref: '#/definitions/a', definitions: { a: true }, minimum: 1 }
  const prepared = prepareSchema(schema, 7, () => true)
  expect(prepared).toEqual({ $schema, $ref: '#/definitions/a', definitions: { a: true } })
})
