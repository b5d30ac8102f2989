/** An object that says which alternative it is fits that one alone, as servers read it. */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { compileSchema } from '#kernel'
import { productFromOpenApi } from '../../../../../plugins/proxy/openapi/from-openapi.ts'

const text = { type: 'string' }
const pet = (petType: object = text) => ({
  type: 'object',
  required: ['petType'],
  properties: { petType, name: text },
})
const kindOf = (member: string, base: object = pet()) => ({
  allOf: [base, { type: 'object', properties: { [member]: text } }],
})
const refs = ['Cat', 'Dog'].map((name) => ({ $ref: `#/components/schemas/${name}` }))

function bodyOf(schema: object, schemas: object = { Cat: kindOf('claws'), Dog: kindOf('pack') }) {
  const made = productFromOpenApi(
    {
      servers: [{ url: 'https://a.example' }],
      paths: { '/a': { post: { requestBody: { content: { 'application/json': { schema } } } } } },
      components: { schemas },
    },
    { productId: 'x', priceCredits: 1 },
  )
  if (!made.ok) throw new Error(made.message)
  return parse(made.yaml).skills[0].input['x-body-schema']
}
const discriminator = { propertyName: 'petType' }

describe('a discriminator', () => {
  it.each(['oneOf', 'anyOf'])('tells the alternatives of %s by their names', (keyword) => {
    const body = bodyOf({ [keyword]: refs, discriminator })
    const { check } = compileSchema(body)
    expect(check({ petType: 'Cat', name: 'a' })).toBe(true)
    expect(check({ petType: 'Bird' })).toBe(false)
    expect(check({ name: 'a' })).toBe(false)
    expect(JSON.stringify(body)).not.toContain('discriminator')
    expect(body.example).toEqual({ petType: 'Cat' })
  })

  it('tells them by its mapping, too', () => {
    const mapping = { meow: '#/components/schemas/Cat', woof: 'Dog' }
    const { check } = compileSchema(
      bodyOf({ oneOf: refs, discriminator: { ...discriminator, mapping } }),
    )
    for (const petType of ['meow', 'woof', 'Cat', 'Dog']) expect(check({ petType })).toBe(true)
    expect(check({ petType: 'Bird' })).toBe(false)
  })

  it.each([
    ['of its own', { Cat: pet({ enum: ['cat'] }), Dog: pet({ const: 'dog' }) }],
    ['of a part', { Cat: kindOf('claws', pet({ enum: ['cat'] })), Dog: pet({ const: 'dog' }) }],
  ])('leaves an alternative with other values %s as it is', (_where, schemas) => {
    const { check } = compileSchema(bodyOf({ oneOf: refs, discriminator }, schemas))
    expect(check({ petType: 'cat' })).toBe(true)
    expect(check({ petType: 'Cat' })).toBe(false)
  })

  it('takes of several values those that tell the alternative', () => {
    const base = pet({ enum: ['Cat', 'Dog'] })
    const schemas = { Cat: kindOf('claws', base), Dog: kindOf('pack', base) }
    const { check } = compileSchema(bodyOf({ oneOf: refs, discriminator }, schemas))
    expect(check({ petType: 'Dog', pack: 'x' })).toBe(true)
  })

  it('tells nothing of alternatives without a name, and is no property of this name', () => {
    const schema = { oneOf: [pet()], discriminator }
    expect(bodyOf(schema)).toMatchObject({ oneOf: [pet()] })
    const own = { type: 'object', properties: { discriminator: text }, additionalProperties: text }
    expect(bodyOf({ type: 'array', items: own })).toMatchObject({ items: own })
  })
})
