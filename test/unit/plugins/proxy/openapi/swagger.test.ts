/** Swagger 2.0 documents become the products that the same API in OpenAPI 3 would become. */
import { describe, expect, it } from 'vitest'
import { productReader } from '../../../../../host/product-files/index.ts'
import { productFromOpenApi } from '../../../../../plugins/proxy/openapi/from-openapi.ts'

const pets = {
  swagger: '2.0',
  info: { title: 'Pets' },
  host: 'pets.example',
  basePath: '/v2',
  schemes: ['http', 'https'],
  consumes: ['application/json', 'application/xml'],
  produces: ['application/json'],
  paths: {
    '/pets': {
      post: {
        operationId: 'addPet',
        parameters: [{ $ref: '#/parameters/pet' }],
        responses: { 200: { $ref: '#/responses/pet' } },
        security: [{ login: [] }],
      },
      get: {
        operationId: 'findPets',
        parameters: [
          { name: 'tags', in: 'query', type: 'array', items: { type: 'string' } },
          {
            name: 'states',
            in: 'query',
            required: true,
            type: 'array',
            items: { type: 'string', enum: ['sold', 'free'] },
            collectionFormat: 'multi',
          },
          {
            name: 'ids',
            in: 'query',
            type: 'array',
            items: { type: 'integer' },
            collectionFormat: 'pipes',
          },
        ],
        responses: { 200: { description: 'Pets', schema: { type: 'array', items: {} } } },
      },
    },
    '/pets/{petId}': {
      parameters: [
        { $ref: '#/parameters/petId' },
        { name: 'limit', in: 'query', type: 'integer', maximum: 10, exclusiveMaximum: true },
      ],
      post: {
        operationId: 'changePet',
        consumes: ['application/x-www-form-urlencoded'],
        parameters: [
          { name: 'limit', in: 'query', type: 'integer', maximum: 5 },
          { name: 'name', in: 'formData', type: 'string', description: 'New name' },
          { name: 'state', in: 'formData', type: 'string', enum: ['sold', 'free'], required: true },
          {
            name: 'tags',
            in: 'formData',
            type: 'array',
            items: { type: 'string' },
            collectionFormat: 'csv',
          },
        ],
      },
      put: {
        operationId: 'setPicture',
        parameters: [{ name: 'picture', in: 'formData', type: 'file' }],
      },
    },
  },
  parameters: {
    petId: { name: 'petId', in: 'path', required: true, type: 'integer', format: 'int64' },
    pet: { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } },
  },
  responses: { pet: { description: 'A pet', schema: { $ref: '#/definitions/Pet' } } },
  securityDefinitions: { login: { type: 'basic' } },
  definitions: {
    Pet: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', 'x-nullable': true },
        mate: { $ref: '#/definitions/Pet' },
      },
    },
  },
}

const importedOf = (document: object) => {
  const made = productFromOpenApi(document, { productId: 'pets', priceCredits: 1 })
  if (!made.ok) throw new Error(made.message)
  const [product] = productReader.parse(made.yaml, { file: null, env: {} })
  if (!product?.ok) throw new Error(JSON.stringify(product?.problems))
  return {
    made,
    skill: (id: string) => product.spec.skills.find((one) => one.id === `pets.${id}`)!,
  }
}

describe('an import of Swagger 2.0', () => {
  const { made, skill } = importedOf(pets)

  it('has the encrypted server, and what signs in', () => {
    expect(made.url).toBe('https://pets.example/v2')
    expect(made.dropped).toContainEqual(expect.stringContaining('Basic ${PRODUCT_PETS_TOKEN}'))
  })

  it('takes a body by reference, with what may be null', () => {
    expect(skill('add_pet').input).toMatchObject({
      required: ['name'],
      properties: { name: { type: ['string', 'null'] }, mate: {} },
    })
  })

  it('sends lists as their collectionFormat says', () => {
    const { properties } = skill('find_pets').input as { properties: Record<string, object> }
    expect(properties['tags']).toMatchObject({ type: 'array', 'x-style': 'comma' })
    expect(properties['states']).not.toHaveProperty('x-style')
    expect(properties['ids']).toMatchObject({ 'x-style': 'pipe' })
  })

  it('sends forms, and takes the parameters of the path that the operation has not its own of', () => {
    const { input } = skill('change_pet')
    expect(input).toMatchObject({
      'x-body': 'application/x-www-form-urlencoded',
      required: ['petId', 'state'],
      properties: {
        petId: { type: 'integer' },
        limit: { type: 'integer', maximum: 5, 'x-in': 'query' },
        state: { enum: ['sold', 'free'] },
        tags: { type: 'array', items: { type: 'string' }, 'x-style': 'comma' },
      },
    })
  })

  it('makes a tool of what takes a file', () => {
    expect(skill('set_picture').input).toMatchObject({
      'x-body': 'multipart/form-data',
      properties: {
        limit: { exclusiveMaximum: 10, 'x-in': 'query' },
        picture: { format: 'binary' },
      },
    })
    expect(skill('set_picture').tools).toEqual(['pets.set_picture'])
  })
})

it.each([
  [{ schemes: ['http'] }, 'http://pets.example/v2'],
  [{ schemes: [] }, 'https://pets.example/v2'],
  [{ schemes: ['wss'], basePath: undefined }, 'https://pets.example'],
])('the server of %j', (said, url) => {
  expect(importedOf({ ...pets, ...said }).made.url).toBe(url)
})
