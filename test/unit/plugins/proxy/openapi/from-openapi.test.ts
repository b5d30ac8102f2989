import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { productFromOpenApi } from '../../../../../plugins/proxy/openapi/from-openapi.ts'
import { idOf, importText } from '../../../../../plugins/proxy/import-text.ts'
import { parseProducts } from '../../../../../host/product-files/parse.ts'

const document = {
  openapi: '3.0.0',
  info: { title: 'Pets' },
  servers: [{ url: 'https://pets.example.com/api' }],
  paths: {
    '/pets/{petId}': {
      parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'getPet', summary: 'One pet' },
    },
    '/pets': {
      post: {
        operationId: 'createPet',
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
      },
    },
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, parent: { $ref: '#/components/schemas/Pet' } },
      },
    },
  },
}

it('writes a spec that the gateway accepts, with one paid skill per operation', () => {
  const made = productFromOpenApi(document, { productId: 'pets', priceCredits: 2 })
  if (!made.ok) throw new Error(made.message)
  const [product] = parseProducts(made.yaml, { file: null, env: {} })
  if (!product?.ok) throw new Error(JSON.stringify(product?.problems))
  expect(product.spec.upstream?.url.toString()).toContain('https://pets.example.com/api')
  expect(product.spec.skills.map((skill) => skill.id)).toEqual(['pets.get_pet', 'pets.create_pet'])
  expect(made.yaml).toContain('route: GET /pets/{petId}')
  expect(made.yaml).toMatch(/required:\n\s+- name/)
})

it('shows what nobody sees of the document: what turns a text around, and orders to a terminal', () => {
  const get = {
    summary: 'One \u{202e}tep\u{2066}',
    description: `Reads\x9b31m a pet. ${'It is long. '.repeat(20)}`,
    parameters: [{ name: 'kind', in: 'query', schema: { type: 'string', enum: ['c\u{202e}at'] } }],
  }
  const written = {
    ...document,
    info: { title: 'Pets\u{e0041}' },
    paths: { '/pets': { get }, '/p\u{202e}ets': { get } },
  }
  const made = productFromOpenApi(written, { productId: 'pets', priceCredits: 2 })
  if (!made.ok) throw new Error(made.message)
  expect(made.yaml + made.dropped.join('')).toMatch(/^[\n\x20-\x7e]+$/)
  expect(made.dropped[0]).toContain('GET /p\\u202eets: ')
  expect(parse(made.yaml)).toMatchObject({
    title: 'Pets\u{e0041}',
    skills: [{ title: get.summary, input: { properties: { kind: { enum: ['c\u{202e}at'] } } } }],
  })
})

it('writes titles of one line', () => {
  const pets = { get: { summary: 'One pet\n\n# All of it' } }
  const written = { ...document, info: { title: 'Pets\n## More' }, paths: { '/pets': pets } }
  const made = productFromOpenApi(written, { productId: 'pets', priceCredits: 2 })
  if (!made.ok) throw new Error(made.message)
  const [product] = parseProducts(made.yaml, { file: null, env: {} })
  if (!product?.ok) throw new Error(JSON.stringify(product?.problems))
  const { title, skills } = product.spec
  expect([title, skills[0]?.title]).toEqual(['Pets ## More', 'One pet # All of it'])
})

it.each([
  ['no paths', { openapi: '3.0.0' }, 'paths'],
  ['no host', { swagger: '2.0', paths: { '/a': { get: {} } } }, 'server URL', 'url'],
  ['no server', { paths: { '/a': { get: {} } } }, 'server URL', 'url'],
  [
    'a variable in its server',
    { ...document, servers: [{ url: 'https://a.example/${PRODUCT_KEY}' }] },
    'server URL is https://a.example/${PRODUCT_KEY}',
    'url',
  ],
  ['no operations', { servers: [{ url: 'https://a.example' }], paths: {} }, 'operations'],
])('says what is missing: %s', (_name, broken, word, lacks?: string) => {
  const made = productFromOpenApi(broken, { productId: 'x', priceCredits: 1 })
  expect(made).toMatchObject({ ok: false, message: expect.stringContaining(word) })
  expect(made.ok ? null : made.lacks).toBe(lacks)
})

it('imports one tag, and says what it left out', () => {
  const paths = {
    '/a': { get: { tags: ['one'], parameters: [{ name: 'session', in: 'cookie' }] } },
    '/b': {
      post: {
        tags: ['one'],
        requestBody: { content: { 'image/*': { schema: { type: 'string' } } } },
      },
      head: { tags: ['one'] },
      query: { tags: ['one'] },
    },
    '/c': { get: { tags: ['two'] } },
  }
  const from = { servers: [{ url: 'https://a.example' }], paths }
  const made = productFromOpenApi(from, { productId: 'x', priceCredits: 1, tag: 'one' })
  expect(made).toMatchObject({
    ok: true,
    skills: 2,
    dropped: [
      'GET /a: the cookie session is not in its input',
      'POST /b: it is sold over HTTP and is not a tool: its body is image/*',
      'HEAD /b: no such skills',
      'QUERY /b: no such skills',
      'GET /c: it has no tag one',
    ],
  })
})

it('makes tools of JSON, forms, texts and files, and says what the other bodies are', () => {
  const body = (type: string, properties?: object) => ({
    requestBody: { content: { [type]: { schema: { type: 'object', properties } } } },
  })
  const form = 'application/x-www-form-urlencoded'
  const { skills, dropped } = skillsOf({
    '/form': { post: body(form, { to: { type: 'string' } }) },
    '/file': { post: body('multipart/form-data', { file: { type: 'string' } }) },
    '/image': { post: body('image/png') },
    '/mixed': { post: body('multipart/mixed') },
    '/parts': { post: body('multipart/form-data') },
    '/text': { put: body('text/csv') },
    '/any': { post: body('*/*', { a: { type: 'string' } }) },
    '/merge': { patch: body('application/merge-patch+json', { a: { type: 'string' } }) },
    '/none': { post: {} },
    '/empty': { get: body(form, {}), delete: body(form, {}) },
    '/odd': { get: body('text/plain') },
  })
  expect(
    skills.map(({ id, tools, input }) => [
      id,
      tools?.length,
      input!['x-body'],
      input!['properties'],
    ]),
  ).toEqual([
    ['x.post_form', 1, form, { to: { type: 'string' } }],
    ['x.post_file', 1, 'multipart/form-data', { file: { type: 'string' } }],
    ['x.post_image', 1, 'image/png', {}],
    ['x.post_mixed', 0, 'multipart/mixed', {}],
    ['x.post_parts', 0, 'multipart/form-data', {}],
    ['x.put_text', 1, 'text/csv', {}],
    ['x.post_any', 1, undefined, { a: { type: 'string' } }],
    ['x.patch_merge', 1, 'application/merge-patch+json', { a: { type: 'string' } }],
    ['x.post_none', 1, 'none', {}],
    ['x.get_empty', 1, undefined, {}],
    ['x.delete_empty', 1, undefined, {}],
    ['x.get_odd', 1, undefined, {}],
  ])
  expect(dropped).toEqual([
    'POST /mixed: it is sold over HTTP and is not a tool: its body is multipart/mixed',
    'POST /parts: it is sold over HTTP and is not a tool: its body is not an object with named members',
  ])
})

it('makes tools of JSON bodies that are no objects with named members, but beside a parameter body', () => {
  const named = (name: string) => ({ name, in: 'query', schema: { type: 'string' } })
  const body = (type: string) => ({
    requestBody: { content: { [type]: { schema: { type: 'array', items: { type: 'integer' } } } } },
  })
  const { skills, dropped } = skillsOf({
    '/list': { post: body('application/json') },
    '/form': { post: body('application/x-www-form-urlencoded') },
    '/clash': { post: { parameters: [named('body')], ...body('application/json') } },
    '/ignored': { delete: body('application/json') },
  })
  expect(
    skills.map(({ id, tools, input }) => [id, tools?.length, input!['x-body-schema']]),
  ).toEqual([
    ['x.post_list', 1, { type: 'array', items: { type: 'integer' }, example: [1] }],
    ['x.post_form', 0, { type: 'array', items: { type: 'integer' } }],
    ['x.post_clash', 0, { type: 'array', items: { type: 'integer' }, example: [1] }],
    ['x.delete_ignored', 1, undefined],
  ])
  const only = 'it is sold over HTTP and is not a tool'
  expect(dropped).toEqual([
    `POST /form: ${only}: its body is not an object with named members`,
    `POST /clash: ${only}: the parameter body has the name of its whole body`,
  ])
})

it('takes an object whose alternatives have members of their own as one value', () => {
  const text = { type: 'string' }
  const post = (schema: object) => ({
    post: { requestBody: { content: { 'application/json': { schema } } } },
  })
  const own = { type: 'object', properties: { a: text } }
  const cat = {
    type: 'object',
    properties: { kind: { enum: ['cat'] }, name: text },
    required: ['name'],
  }
  const dog = { ...cat, properties: { ...cat.properties, kind: { enum: ['dog'] } } }
  const { skills } = skillsOf({
    '/needs': post({ ...own, anyOf: [{ required: ['a'] }, { properties: { a: { const: 'b' } } }] }),
    '/more': post({ ...own, oneOf: [{ properties: { b: text } }] }),
    '/parts': post({ ...own, allOf: [{ allOf: [{ properties: { b: text } }] }] }),
    '/free': post({ type: 'object', additionalProperties: text }),
    '/kinds': post({ oneOf: [{ ...cat, required: ['kind'], minProperties: 2 }, dog] }),
  })
  expect(
    skills.map(({ id, input, tools }) => [id, tools?.length, 'x-body-schema' in input!]),
  ).toEqual([
    ['x.post_needs', 1, false],
    ['x.post_more', 1, true],
    ['x.post_parts', 1, true],
    ['x.post_free', 1, true],
    ['x.post_kinds', 1, true],
  ])
  // No example of the first kind can be made.
  expect((skills[4]!.input!['x-body-schema'] as { example: unknown }).example).toEqual({
    name: 'name',
  })
})

it('sends the body of a DELETE that asks for one, and says what a GET does not send', () => {
  const schema = { type: 'object', properties: { sha: { type: 'string' } }, required: ['sha'] }
  const list = { type: 'array', items: { type: 'integer' } }
  const body = (one: object, required: boolean) => ({
    parameters: [{ name: 'force', in: 'query', schema: { type: 'boolean' } }],
    requestBody: { required, content: { 'application/json': { schema: one } } },
  })
  const { skills, dropped } = skillsOf({
    '/file': { delete: body(schema, false), get: body(schema, true) },
    '/list': { delete: body(list, true), get: body(list, true) },
    '/form': { delete: body({}, true) },
  })
  const sha = { type: 'string' }
  const inQuery = { type: 'boolean', 'x-in': 'query' }
  expect(skills.map(({ id, input }) => [id, input])).toMatchObject([
    ['x.get_file', { properties: { force: { type: 'boolean' }, sha } }],
    ['x.delete_file', { 'x-body': 'application/json', properties: { force: inQuery, sha } }],
    ['x.get_list', { properties: { force: { type: 'boolean' } } }],
    ['x.delete_list', { 'x-body': 'application/json', 'x-body-schema': list }],
    ['x.delete_form', { 'x-body': 'application/json', 'x-body-schema': {} }],
  ])
  expect(dropped).toEqual([
    'GET /file: a request of this method has no body here: its members are sent in the query',
    'GET /list: a request of this method has no body here: it is left out',
  ])
})

it('takes headers whose names differ in capitals alone for one', () => {
  const header = (name: string) => ({ name, in: 'header', schema: { type: 'string' } })
  const { skills } = skillsOf({
    '/a': { get: { parameters: [header('x-tenant'), header('X-Tenant')] } },
  })
  expect(Object.keys(skills[0]!.input!['properties'] as object)).toEqual(['X-Tenant'])
})

it.each([
  ['put', ['id'], 'body'],
  ['put', [], undefined],
  ['delete', ['id'], 'body'],
  ['get', ['id'], undefined],
])('has the id of the path in the body of a %s that needs %j', (method, required, place) => {
  const schema = { type: 'object', properties: { id: { type: 'integer' } }, required }
  const { skills } = skillsOf({
    '/a/{id}': {
      [method]: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        requestBody: { content: { 'application/json': { schema } } },
      },
    },
  })
  const { properties, required: needed } = skills[0]!.input as Record<string, unknown>
  expect((properties as { id: unknown }).id).toEqual({
    type: 'integer',
    ...(place !== undefined && { 'x-in': place }),
  })
  expect(needed).toEqual(['id'])
})

it('leaves out an operation whose requests look like those of another', () => {
  const { skills, dropped } = skillsOf({
    '/a/{id}/b': { get: {}, put: {} },
    '/a/{name}/b': { get: {} },
    '/a/all/b': { get: {} },
  })
  expect(skills.map(({ route }) => route!.path)).toEqual(['/a/{id}/b', '/a/{id}/b', '/a/all/b'])
  expect(dropped).toEqual(['GET /a/{name}/b: requests of GET /a/{id}/b look the same'])
})

it('lets the headers pass that operations take, but for those that always or never do', () => {
  const header = (name: string) => ({ name, in: 'header', schema: { type: 'string' } })
  const { upstream } = skillsOf({
    '/a': {
      get: { parameters: ['Api-Version', 'Accept', 'X-Idempotency-Key', 'no name'].map(header) },
    },
    '/b': {
      get: {
        parameters: [
          'api-version',
          'Authorization',
          'X_Real_IP',
          'x_mode',
          'X-HTTP-Method-Override',
        ].map(header),
      },
    },
  })
  expect(upstream?.forwardHeaders).toEqual(['api-version', 'x_mode'])
  expect(skillsOf({ '/a': { get: {} } }).upstream?.forwardHeaders).toEqual([])
})

it('leaves out what only answers have, whichever part of a schema requires it', () => {
  const readOnly = { type: 'integer', readOnly: true }
  const text = { type: 'string' }
  const label = { type: 'object', properties: { id: readOnly, text }, required: ['id', 'text'] }
  const person = {
    type: 'object',
    properties: { id: readOnly, name: text, labels: { type: 'array', items: label } },
    required: ['id', 'name'],
    example: { id: 1, name: 'Ann', labels: [{ id: 2, text: 'a' }] },
  }
  const post = (schema: object) => ({
    post: { requestBody: { content: { 'application/json': { schema } } } },
  })
  const { skills } = skillsOf({
    '/persons/': post(person),
    '/typed/': post({ allOf: [{ properties: { id: readOnly } }, { required: ['id', 'kind'] }] }),
  })
  expect(skills[0]).toMatchObject({
    input: {
      properties: {
        name: text,
        labels: { items: { properties: { text }, required: ['text'] } },
      },
      required: ['name'],
    },
    example: { input: { name: 'Ann' } },
  })
  expect(Object.keys(skills[0]!.input!['properties'] as object)).toEqual(['name', 'labels'])
  expect(skills[1]!.input!['x-body-schema']).toMatchObject({
    allOf: [{ properties: {} }, { required: ['kind'] }],
  })
})

it('keeps how lists and objects are written in a query and in a form', () => {
  const array = { type: 'array', items: { type: 'string' } }
  const parameter = (name: string, more: object) => ({ name, in: 'query', schema: array, ...more })
  const parameters = [
    parameter('repeated', {}),
    parameter('comma', { explode: false }),
    parameter('one', { explode: false, schema: { type: 'string' } }),
    parameter('pipe', { style: 'pipeDelimited' }),
    parameter('deep', { style: 'deepObject', explode: true }),
    parameter('spread', { schema: { type: 'object' } }),
  ]
  const content = {
    'application/x-www-form-urlencoded': {
      schema: { type: 'object', properties: { items: array, tags: array } },
      encoding: {
        items: { style: 'deepObject', explode: true },
        tags: { contentType: 'text/csv' },
      },
    },
  }
  const { skills } = skillsOf({ '/a': { get: { parameters }, post: { requestBody: { content } } } })
  const stylesOf = (index: number) =>
    Object.fromEntries(
      Object.entries(
        skills[index]!.input!['properties'] as Record<string, { 'x-style'?: string }>,
      ).map(([name, member]) => [name, member['x-style']]),
    )
  expect(stylesOf(0)).toEqual({
    repeated: undefined,
    comma: 'comma',
    one: undefined,
    pipe: 'pipe',
    deep: 'deepObject',
    spread: 'members',
  })
  expect(stylesOf(1)).toEqual({ items: 'deepObject', tags: undefined })
})

it('keeps the query parameter that must be there before a member of the body that need not', () => {
  const schema = { type: 'object', properties: { ids: { type: 'array' } } }
  const { skills, dropped } = skillsOf({
    '/a': {
      put: {
        parameters: [{ name: 'ids', in: 'query', required: true, schema: { type: 'string' } }],
        requestBody: { content: { 'application/json': { schema } } },
      },
    },
  })
  expect(skills[0]!.input!['properties']).toEqual({ ids: { type: 'string', 'x-in': 'query' } })
  expect(dropped).toEqual(['PUT /a: the member ids of its body has the name of a query parameter'])
})

it('says which credentials the API asks for, and where they stand in the product', () => {
  const securitySchemes = {
    token: { type: 'http', scheme: 'bearer' },
    login: { type: 'http', scheme: 'basic' },
    key: { type: 'apiKey', in: 'header', name: 'api_key' },
    inQuery: { type: 'apiKey', in: 'query', name: 'key' },
    oddly: { type: 'apiKey', in: 'query', name: 'api key' },
    session: { type: 'apiKey', in: 'cookie', name: 'sid' },
    unused: { type: 'oauth2' },
  }
  const security = [{ token: [] }, { login: [] }]
  const { dropped } = skillsOf(
    { '/a': { get: { security: [{ key: [] }, { inQuery: [] }, { oddly: [] }, { session: [] }] } } },
    { components: { securitySchemes }, security },
  )
  const add = 'if calls need them, add to upstream: headers:'
  const ask = 'if calls need them, add to upstream: query:'
  expect(dropped).toEqual([
    `the credentials token: ${add} { Authorization: "Bearer \${PRODUCT_X_TOKEN}" }`,
    `the credentials login: ${add} { Authorization: "Basic \${PRODUCT_X_TOKEN}" }`,
    `the credentials key: ${add} { api_key: "\${PRODUCT_X_TOKEN}" }`,
    `the credentials inQuery: ${ask} { key: "\${PRODUCT_X_TOKEN}" }`,
    `the credentials oddly: ${ask} { "api key": "\${PRODUCT_X_TOKEN}" }`,
    `the credentials session: ${add} { Cookie: "sid=\${PRODUCT_X_TOKEN}" }`,
  ])
})

/** The skills of a document with these paths, read as the gateway reads its product. */
function skillsOf(paths: object, more: object = {}) {
  const from = { openapi: '3.0.3', servers: [{ url: 'https://a.example' }], paths, ...more }
  const made = productFromOpenApi(from, { productId: 'x', priceCredits: 1 })
  if (!made.ok) throw new Error(made.message)
  const [product] = parseProducts(made.yaml, { file: null, env: {} })
  if (!product?.ok) throw new Error(JSON.stringify(product?.problems))
  return { skills: product.spec.skills, upstream: product.spec.upstream, dropped: made.dropped }
}

it('says in JSON Schema what OpenAPI 3.0 says in words of its own', () => {
  const schemas = { Note: { type: 'object', properties: { text: { type: 'string' } } } }
  const properties = {
    name: { type: 'string', nullable: true },
    status: { type: 'string', enum: ['a', 'b'], nullable: true },
    note: { $ref: '#/components/schemas/Note', nullable: true },
    other: { allOf: [{ $ref: '#/components/schemas/Note' }], nullable: true },
    plain: { type: 'string', nullable: false },
    above: { type: 'number', minimum: 0, exclusiveMinimum: true },
    upTo: { type: 'number', maximum: 9, exclusiveMaximum: false },
    nullable: { type: 'boolean' },
  }
  const content = { 'application/json': { schema: { type: 'object', properties } } }
  const { skills } = skillsOf(
    { '/a': { post: { requestBody: { content } } } },
    { components: { schemas } },
  )
  expect(skills[0]!.input!['properties']).toEqual({
    name: { type: ['string', 'null'] },
    status: { type: ['string', 'null'], enum: ['a', 'b', null] },
    note: { type: ['object', 'null'], properties: { text: { type: 'string' } } },
    other: { anyOf: [{ allOf: [schemas.Note] }, { type: 'null' }] },
    plain: { type: 'string' },
    above: { type: 'number', exclusiveMinimum: 0 },
    upTo: { type: 'number', maximum: 9 },
    nullable: { type: 'boolean' },
  })
})

it('names placeholders as routes do, and leaves out a path that no route can have', () => {
  const parameter = (name: string) => ({ name, in: 'path', required: true })
  const { skills, dropped } = skillsOf({
    '/Accounts/{AccountSid}/{user-id}': {
      get: { parameters: [parameter('AccountSid'), parameter('user-id')] },
    },
    '/compare/{base}...{head}': { get: {} },
    '/Messages/{Sid}.json': { get: { parameters: [parameter('Sid')] } },
    '/users/': { get: {} },
    '/users//': { get: {} },
  })
  expect(skills.map(({ route }) => route!.path)).toEqual([
    '/Accounts/{accountSid}/{user_id}',
    '/Messages/{sid}.json',
    '/users/',
  ])
  expect(skills[0]!.input!['required']).toEqual(['accountSid', 'user_id'])
  expect(dropped).toEqual([
    'GET /compare/{base}...{head}: a route cannot have this path: each segment has at most one {placeholder}',
    'GET /users//: a route cannot have this path: each segment has at most one {placeholder}',
  ])
})

it('tells query from body where a request has both', () => {
  const schema = { type: 'object', properties: { id: { type: 'string' } } }
  const { skills, dropped } = skillsOf({
    '/a': {
      post: {
        parameters: ['dry', 'id'].map((name) => ({ name, in: 'query' })),
        requestBody: { content: { 'application/json; charset=utf-8': { schema } } },
      },
    },
  })
  expect(skills[0]!.input!['properties']).toEqual({
    dry: { type: 'string', 'x-in': 'query' },
    id: { type: 'string' },
  })
  expect(dropped).toEqual(['POST /a: the query id has the name of a member of its body'])
})

it('leaves out patterns of another dialect and `required: true`, which would refuse the product', () => {
  const properties = {
    code: { type: 'string', pattern: '(?i)^[a-z]+$', required: true },
    plain: { type: 'string', pattern: '^[a-z]+$' },
    pattern: { type: 'string' },
  }
  const content = { 'application/json': { schema: { type: 'object', properties } } }
  const { skills, dropped } = skillsOf({
    '/a/{n}': {
      parameters: [{ name: 'n', in: 'path', required: true, schema: { pattern: '\\A\\d+\\Z' } }],
      post: { requestBody: { content, required: true } },
    },
    '/b': { get: {} },
  })
  expect(skills[0]!.input).toEqual({
    type: 'object',
    properties: { n: {}, ...properties, code: { type: 'string' } },
    required: ['n'],
  })
  expect(dropped).toEqual([
    'POST /a/{n}: its input does not check the pattern \\A\\d+\\Z',
    'POST /a/{n}: its input does not check the pattern (?i)^[a-z]+$',
  ])
})

it('names the tags of a document of which only a part can be one product', () => {
  const long = { tags: ['repos'], description: 'x'.repeat(400) }
  const paths = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [`/${index}`, { get: long }]),
  )
  const from = (tags: string[]) => ({
    servers: [{ url: 'https://a.example' }],
    paths: { ...paths, '/last': { get: { tags } } },
  })
  const options = { productId: 'x', priceCredits: 1 }
  const tooLong = productFromOpenApi(from(['gists']), options)
  expect(tooLong).toMatchObject({ ok: false, lacks: 'tag' })
  expect(tooLong.ok ? '' : tooLong.message).toMatch(/524288 are read; its tags are repos, gists$/)
  expect(productFromOpenApi(from(['gists']), { ...options, tag: 'gists' })).toMatchObject({
    skills: 1,
  })
  expect(productFromOpenApi(from(['gists']), { ...options, tag: 'gist' })).toEqual({
    ok: false,
    message: 'the document has no operations with the tag gist; its tags are repos, gists',
  })
})

it('takes descriptions without their HTML', () => {
  const description = '<p>Makes one of <a href="/docs">these</a>.<br/></p> Put its <id> here: 1 < 2'
  const { skills } = skillsOf({ '/a': { get: { description } } })
  expect(skills[0]!.description).toBe('Makes one of these. Put its <id> here: 1 < 2')
})

it('makes names of tools that hosts of models take', () => {
  const operationId = 'projectsLocationsDocumentProcessorsProcessorVersionsEvaluationsListAll'
  const { skills } = skillsOf({ '/a': { get: { operationId }, put: { operationId } } })
  expect(skills.map(({ id }) => id)).toEqual([
    'x.projects_locations_document_processors_processor_versions_eval',
    'x.projects_locations_document_processors_processor_versions_ev_2',
  ])
  expect(skills.map(({ id }) => id.length)).toEqual([64, 64])
})

it('imports one path and what is below it, and names paths where there are no tags', () => {
  const long = { description: 'x'.repeat(400) }
  const many = Array.from({ length: 1000 }, (_, index) => [`/v1/big/${index}`, { get: long }])
  const from = {
    servers: [{ url: 'https://a.example' }],
    paths: {
      ...Object.fromEntries(many),
      '/v1/bits': { get: {} },
      '/v1/bits/{id}': { get: {} },
      '/v1/bitsy': { get: {} },
    },
  }
  const made = (tag?: string) =>
    productFromOpenApi(from, { productId: 'x', priceCredits: 1, ...(tag && { tag }) })
  expect(made()).toMatchObject({
    lacks: 'tag',
    message: expect.stringMatching(/its paths are \/v1\/big, \/v1\/bits, \/v1\/bitsy$/),
  })
  const bits = made('/v1/bits')
  expect(bits).toMatchObject({ skills: 2 })
  expect(bits.ok && bits.dropped.at(-1)).toBe('GET /v1/bitsy: it is not below /v1/bits')
  expect(made('/v2')).toMatchObject({
    message: expect.stringContaining('no operations below /v2; its paths are /v1/big'),
  })
})

it('puts the defaults of variables into the URL of the server', () => {
  const url = 'https://{region}.a.example/{base}'
  const variables = { region: { default: 'eu' }, base: { default: 'v2' } }
  const { upstream } = skillsOf({ '/a': { get: {} } }, { servers: [{ url, variables }] })
  expect(String(upstream!.url)).toBe('https://eu.a.example/v2')
})

it('refuses references that multiply, and takes one that cannot be read for any value', () => {
  const twice = (name: string) => ({
    properties: { a: { $ref: `#/x/${name}` }, b: { $ref: `#/x/${name}` } },
  })
  const levels = Array.from({ length: 60 }, (_, level) => [`l${level}`, twice(`l${level + 1}`)])
  const body = ($ref: string) => ({
    servers: [{ url: 'https://a.example' }],
    paths: {
      '/a': { post: { requestBody: { content: { 'application/json': { schema: { $ref } } } } } },
    },
    x: Object.fromEntries(levels),
  })
  const bomb = productFromOpenApi(body('#/x/l0'), { productId: 'x', priceCredits: 1 })
  expect(bomb.ok ? '' : bomb.message).toContain('references')
  expect(productFromOpenApi(body('#/x/%'), { productId: 'x', priceCredits: 1 }).ok).toBe(true)
})

it.each([
  ['Swagger Petstore - OpenAPI 3.0', 'swagger-petstore'],
  ['3 Little Pigs', 'little-pigs'],
  ['Öffentliche Daten', 'ffentliche-daten'],
  ['', 'imported'],
])('makes an id of the title %j that the gateway accepts', (title, id) => {
  expect(idOf({ info: { title } })).toBe(id)
  const made = productFromOpenApi(document, { productId: id, priceCredits: 1 })
  const [product] = parseProducts(made.ok ? made.yaml : '', { file: null, env: {} })
  expect(product).toMatchObject({ ok: true })
})

it('reads JSON and YAML, and puts a server that is a path beside where the document was', () => {
  const text = 'info: { title: Pets }\nservers: [{ url: /api/v2 }]\npaths: { /a: { get: {} } }\n'
  const fetchedFrom = 'https://pets.example.com/docs/openapi.yaml'
  const made = importText({ text, fetchedFrom, priceCredits: 1 })
  expect(made).toMatchObject({ ok: true, productId: 'pets', skills: 1 })
  expect(made.ok && made.yaml).toContain('url: https://pets.example.com/api/v2')
  expect(importText({ text, fetchedFrom: null, priceCredits: 1 })).toMatchObject({ lacks: 'url' })
  const json = JSON.stringify(document)
  expect(importText({ text: json, fetchedFrom, priceCredits: 1 })).toMatchObject({ skills: 2 })
})

it.each([
  ['no YAML', 'a: [', 'line 1'],
  ['aliases that multiply', bombOfAliases(), 'alias'],
])('refuses a text that is %s', (_name, text, words) => {
  const made = importText({ text, fetchedFrom: null, priceCredits: 1 })
  expect(made).toMatchObject({ ok: false, message: expect.stringContaining(words) })
})

function bombOfAliases(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level < 9; level++)
    lines.push(`a${level}: &a${level} [${`*a${level - 1}, `.repeat(9)}*a${level - 1}]`)
  return lines.join('\n')
}

it('makes no tool of a path whose parameters a tool cannot write', () => {
  const at = (schema: object, more: object = {}) => ({
    get: { parameters: [{ name: 'of', in: 'path', required: true, schema, ...more }] },
  })
  const list = { type: 'array', items: { type: 'string' } }
  const { skills, dropped } = skillsOf({
    '/texts/{of}': at({ type: 'string' }),
    '/lists/{of}': at(list, { style: 'simple' }),
    '/objects/{of}': at({ type: 'object' }),
    '/matrices/{of}': at(list, { style: 'matrix' }),
  })
  expect(skills.map(({ tools }) => tools!.length)).toEqual([1, 1, 0, 0])
  expect(dropped).toEqual([
    'GET /objects/{of}: it is sold over HTTP and is not a tool: its path has the object of',
    'GET /matrices/{of}: it is sold over HTTP and is not a tool: its path has of in the style matrix',
  ])
})

it("takes an operation's own parameter in place of its path's", () => {
  const parameter = (required: boolean, type: string) => ({
    name: 'q',
    in: 'query',
    required,
    schema: { type },
  })
  const { skills } = skillsOf({
    '/a': {
      parameters: [parameter(true, 'string')],
      get: { parameters: [parameter(false, 'integer')] },
      delete: {},
    },
  })
  expect(skills.map(({ input }) => [input!['properties'], input!['required']])).toEqual([
    [{ q: { type: 'integer' } }, undefined],
    [{ q: { type: 'string' } }, ['q']],
  ])
})

it('leaves out an operation of another server, unless the operator names one for all', () => {
  const upload = { post: { servers: [{ url: 'https://files.a.example/' }] } }
  const paths = {
    '/files': upload,
    '/same': { get: { servers: [{ url: 'https://a.example/' }] } },
    '/v3': { servers: [{ url: '/v3' }], get: {} },
  }
  const { skills, dropped } = skillsOf(paths)
  expect(skills.map(({ route }) => route!.path)).toEqual(['/same'])
  expect(dropped).toEqual([
    'POST /files: it is at another server, https://files.a.example/: import it by its path and URL',
    'GET /v3: it is at another server, /v3: import it by its path and URL',
  ])
  const text = JSON.stringify({ openapi: '3.0.3', servers: [{ url: 'https://a.example' }], paths })
  const order = { text, fetchedFrom: null, priceCredits: 1 }
  const made = importText({ ...order, baseUrl: 'https://files.a.example', tag: '/files' })
  expect(made).toMatchObject({ skills: 1, url: 'https://files.a.example' })
})

it('follows a path to where the document has its operations, and names those of another document', () => {
  const written = {
    ...document,
    paths: {
      '/cats': { $ref: '#/components/pathItems/Cats' },
      '/dogs': { $ref: './dogs.yaml' },
    },
    components: { pathItems: { Cats: { get: { operationId: 'listCats' } } } },
  }
  const made = productFromOpenApi(written, { productId: 'pets', priceCredits: 2 })
  if (!made.ok) throw new Error(made.message)
  expect(made.yaml).toContain('route: GET /cats')
  expect(made.dropped).toEqual(['/dogs: its operations stand in another document, ./dogs.yaml'])
})

it('says what a URL of the API begins with', () => {
  const made = productFromOpenApi(document, {
    productId: 'p',
    priceCredits: 1,
    url: 'pets.example',
  })
  expect(made).toEqual({
    ok: false,
    message: 'pets.example does not begin with https:// or http://',
    lacks: 'url',
  })
})

it('tells models what the document says of parameters, as long as there is room', () => {
  const operation = (about: string) => ({
    parameters: [
      { name: 'page', in: 'query', description: about, schema: { type: 'integer' } },
      { name: 'sort', in: 'query', description: 'x', schema: { type: 'string', description: 'y' } },
    ],
  })
  const inputFor = (paths: number, about: string) => {
    const written = {
      ...document,
      paths: Object.fromEntries(
        Array.from({ length: paths }, (_, i) => [`/${i}`, { get: operation(about) }]),
      ),
    }
    const made = productFromOpenApi(written, { productId: 'pets', priceCredits: 2 })
    if (!made.ok) throw new Error(made.message)
    return parse(made.yaml).skills[0].input.properties
  }
  expect(inputFor(1, 'From <b>1</b>')).toEqual({
    page: { description: 'From 1', type: 'integer' },
    sort: { description: 'y', type: 'string' },
  })
  expect(inputFor(1000, 'long '.repeat(100)).page).toEqual({ type: 'integer' })
})
