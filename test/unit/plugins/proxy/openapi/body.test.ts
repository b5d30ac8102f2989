/** Bodies that are a text, a file or a form with files: as the import writes them, and their examples. */
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { productFromOpenApi } from '../../../../../plugins/proxy/openapi/from-openapi.ts'

function skillOf(content: object) {
  const made = productFromOpenApi(
    {
      servers: [{ url: 'https://a.example' }],
      paths: { '/a': { post: { requestBody: { content } } } },
    },
    { productId: 'x', priceCredits: 1 },
  )
  if (!made.ok) throw new Error(made.message)
  return parse(made.yaml).skills[0]
}
const FILE = { type: 'string', format: 'binary' }

it.each([
  ['text/plain', { schema: { type: 'string', maxLength: 9 } }, { type: 'string', maxLength: 9 }],
  ['text/csv', { schema: { type: 'object', maxLength: 9 } }, { type: 'string' }],
  ['application/xml', {}, { type: 'string' }],
  ['text/plain', { schema: FILE }, FILE],
  ['image/png', {}, FILE],
  ['application/pdf', { schema: { type: 'string', description: 'A document.' } }, FILE],
])('takes the body of %s as one value', (type, media, value) => {
  const { input, tool } = skillOf({ [type]: media })
  expect(tool).toBe('x.post_a')
  expect(input['x-body']).toBe(type)
  expect(input['x-body-schema']).toMatchObject(value)
})

it('shows a text, and no file', () => {
  const text = skillOf({ 'text/plain': { schema: { type: 'string' }, example: 'a -> b' } })
  expect(text.input['x-body-schema'].example).toBe('a -> b')
  const file = skillOf({ 'image/png': { schema: FILE, example: 'a.png' } })
  expect(file.input['x-body-schema']).toEqual(FILE)
})

it('takes a form with files, their types and an example of them', () => {
  const pages = { type: 'array', items: FILE, minItems: 1 }
  const schema = {
    type: 'object',
    properties: { scan: FILE, pages, note: { type: 'string' } },
    required: ['scan', 'pages'],
  }
  const encoding = { scan: { contentType: 'image/png' }, pages: { contentType: 'image/*' } }
  const { input, example } = skillOf({ 'multipart/form-data': { schema, encoding } })
  expect(input.properties).toEqual({
    scan: { ...FILE, contentMediaType: 'image/png' },
    pages,
    note: { type: 'string' },
  })
  expect(example.input).toEqual({ scan: 'ZXhhbXBsZQ==', pages: ['ZXhhbXBsZQ=='] })
})

it('prefers JSON and forms to files', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } }
  const form = 'application/x-www-form-urlencoded'
  const content = { 'image/png': {}, 'multipart/form-data': { schema }, [form]: { schema } }
  expect(skillOf(content).input['x-body']).toBe(form)
  expect(skillOf({ ...content, 'application/json': { schema } }).input['x-body']).toBeUndefined()
})
