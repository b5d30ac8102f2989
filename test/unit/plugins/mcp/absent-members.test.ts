/** What strict modes of models send for members that are not meant. */
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { withoutAbsent } from '../../../../plugins/mcp/absent-members.ts'

const schema = Type.Object({
  id: Type.String(),
  note: Type.Optional(Type.String()),
  nothing: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  any: Type.Optional(Type.Unknown()),
  options: Type.Optional(Type.Object({ pages: Type.Optional(Type.Integer()) })),
  rows: Type.Optional(Type.Array(Type.Object({ unit: Type.Optional(Type.String()) }))),
})

describe('null arguments', () => {
  it('are absent where the schema lets them be so and takes no null', () => {
    const given = { id: 'a', note: null, options: { pages: null }, rows: [{ unit: null }, {}] }
    expect(withoutAbsent(schema, given)).toEqual({ id: 'a', options: {}, rows: [{}, {}] })
  })

  it('stay where null is a value, a mistake, or nothing that can be told', () => {
    const meant = { id: null, nothing: null, any: null, unknown: null, rows: [null] }
    expect(withoutAbsent(schema, meant)).toEqual(meant)
    for (const a of [{ $ref: '#/$defs/a' }, { type: 'string', nullable: true }]) {
      const telling = { type: 'object', properties: { a } }
      expect(withoutAbsent(telling, { a: null })).toEqual({ a: null })
    }
    const own = JSON.parse('{"__proto__":null,"id":"a"}') as Record<string, unknown>
    expect(JSON.stringify(withoutAbsent(schema, own))).toBe(JSON.stringify(own))
    expect(withoutAbsent({ anyOf: [] }, { a: null })).toEqual({ a: null })
  })
})
