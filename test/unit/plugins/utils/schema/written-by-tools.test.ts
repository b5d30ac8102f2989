/** Schemas as tools write them: `$id` of each part, and names of types with signs that no URI has. */
import { describe, expect, it } from 'vitest'
import { validate } from '../../../../../plugins/utils/schema/validate.ts'

const draft = (number: string): string => `http://json-schema.org/draft-${number}/schema#`
const verdicts = (schema: unknown, ...instances: unknown[]): unknown[] =>
  instances.map((one) => {
    const outcome = validate(schema, one)
    return outcome.ok ? outcome.valid : outcome.problems
  })

describe('ids that are fragments', () => {
  it.each([
    ['draft-07', '07', '$id', 'http://kiln.test/pot.json'],
    ['draft-07 without an id of the whole', '07', '$id', undefined],
    ['draft-06', '06', '$id', 'http://kiln.test/pot.json'],
    ['draft-04', '04', 'id', 'http://kiln.test/pot.json'],
  ])('do not move references below them: %s', (_, number, id, whole) => {
    const schema = {
      $schema: draft(number),
      ...(whole !== undefined && { [id]: whole }),
      properties: {
        pots: { [id]: '#/properties/pots', type: 'array', items: { $ref: '#/definitions/pot' } },
        lids: { [id]: '#lids', type: 'array', items: { $ref: '#/definitions/pot' } },
        spares: { $ref: '#lids' },
      },
      definitions: { pot: { type: 'string' } },
    }
    expect(
      verdicts(
        schema,
        { pots: ['mug'], lids: ['flat'], spares: ['round'] },
        { pots: [1] },
        { lids: [1] },
        { spares: [1] },
      ),
    ).toEqual([true, false, false, false])
  })
})

describe('references with signs that a URI has to escape', () => {
  it.each(['Pot<Lid>', 'Pot|Lid', 'Pot {a}', 'Partial<Record<"a"|"b",Pot>>'])('%s', (name) => {
    const schema = {
      $schema: draft('07'),
      definitions: { [name]: { type: 'string' } },
      properties: { pot: { anyOf: [{ $ref: `#/definitions/${name}` }, { type: 'null' }] } },
    }
    expect(verdicts(schema, { pot: 'mug' }, { pot: 1 })).toEqual([true, false])
  })

  it('still have to lead to a schema', () => {
    const schema = { $schema: draft('07'), not: { anyOf: [{ $ref: '#/definitions/Pot<Lid>' }] } }
    expect(verdicts(schema, 1)).toEqual([
      [{ path: '/not/anyOf/0/$ref', message: '"#/definitions/Pot<Lid>" points at no schema' }],
    ])
  })
})
