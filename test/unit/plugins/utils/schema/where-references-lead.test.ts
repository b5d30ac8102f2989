/** References lead by whole addresses, and documents given along also by the ids that they have. */
import { describe, expect, it } from 'vitest'
import { validate } from '../../../../../plugins/utils/schema/validate.ts'

const DRAFTS = [
  ['draft-04', 'http://json-schema.org/draft-04/schema#', 'id'],
  ['draft-07', 'http://json-schema.org/draft-07/schema#', '$id'],
  ['2020-12', 'https://json-schema.org/draft/2020-12/schema', '$id'],
] as const
type Given = Record<string, unknown>

/** Whether a string, a whole number and a list are valid as `p`. */
const verdicts = (schema: object, schemas: Given = {}): unknown[] =>
  ['a', 1, []].map((p) => {
    const outcome = validate(schema, { p }, { schemas })
    return outcome.ok ? outcome.valid : outcome.problems
  })
const IS_INTEGER = [false, true, false]

describe.each(DRAFTS)('%s', (_, $schema, id) => {
  const to = ($ref: string, more: object = {}) => ({
    $schema,
    ...more,
    properties: { p: { $ref } },
  })
  const named = {
    [id]: 'https://kiln.test/jug.json',
    type: 'integer',
    definitions: { handle: { type: 'integer' } },
  }

  it.each([
    ['the id of a document given under another name', 'https://kiln.test/jug.json'],
    ['a part of it by that id', 'https://kiln.test/jug.json#/definitions/handle'],
    ['the name under which it was given', 'https://shelf.test/7'],
  ])('leads to %s', (_what, reference) => {
    expect(verdicts(to(reference), { 'https://shelf.test/7': named })).toEqual(IS_INTEGER)
  })

  it('leads to the same document given under both names, in either order', () => {
    const [own, other] = ['https://kiln.test/jug.json', 'https://shelf.test/7']
    const copy = structuredClone(named)
    expect(verdicts(to(own), { [own]: named, [other]: copy })).toEqual(IS_INTEGER)
    expect(verdicts(to(own), { [other]: copy, [own]: named })).toEqual(IS_INTEGER)
  })

  it('leads to a resource inside a document given along, also from another one', () => {
    const schemas = {
      'https://shelf.test/7': { definitions: { any: named } },
      'https://kiln.test/lid.json': { allOf: [{ $ref: 'jug.json' }] },
    }
    expect(verdicts(to('https://kiln.test/jug.json'), schemas)).toEqual(IS_INTEGER)
    expect(verdicts(to('https://kiln.test/lid.json'), schemas)).toEqual(IS_INTEGER)
  })

  it('tells documents of one path on two hosts apart', () => {
    const here = { [id]: 'https://mug.test/v1/common.json', definitions: { x: { type: 'string' } } }
    const there = 'https://jug.test/v1/common.json'
    const part = { definitions: { x: { type: 'integer' } } }
    expect(verdicts(to(`${there}#/definitions/x`, here), { [there]: part })).toEqual(IS_INTEGER)
    const within = { ...here, definitions: { x: { [id]: there, type: 'integer' } } }
    expect(verdicts(to(there, within))).toEqual(IS_INTEGER)
  })

  it('takes no name from a value that looks like a schema', () => {
    const part = { [id]: 'https://jug.test/x', type: 'integer' }
    const alike = { [id]: 'https://jug.test/x', type: 'string' }
    const more = { definitions: { x: part }, default: alike }
    const schema = { ...to('https://jug.test/x'), ...more }
    expect(verdicts(schema)).toEqual(IS_INTEGER)
  })
})

it('leads to ids of documents given along where a reference is dynamic, too', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://kiln.test/tree',
    $dynamicAnchor: 'node',
    properties: { p: { $ref: 'https://kiln.test/jug.json' }, next: { $dynamicRef: '#node' } },
  }
  const schemas = { 'https://shelf.test/7': { $id: 'https://kiln.test/jug.json', type: 'integer' } }
  expect(verdicts(schema, schemas)).toEqual(IS_INTEGER)
})
