import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startUpstream, type TestUpstream } from '../../../support/upstream.ts'
import { contextOf, proxyOf, type ProxyInstance } from './harness.ts'

let upstream: TestUpstream
let instance: ProxyInstance
afterEach(async () => {
  await instance.stop!(new Date())
  await upstream.close()
})

async function start(handle: Parameters<typeof startUpstream>[0]): Promise<void> {
  upstream = await startUpstream(handle)
  instance = await proxyOf(`product_id: w
upstream: { url: "${upstream.url}/api", allow_private: true, headers: { Authorization: Bearer t } }
skills:
  - id: w.city
    route: GET /cities/{city}
    tool: w.city
    price: { credits: 1 }
    input: { type: object, properties: { days: { type: integer } }, required: [days] }
  - id: w.report
    route: POST /reports/{id}
    tool: w.report
    tool_inputs: { w.report: { type: object, required: [rows] } }
    price: { credits: 1 }
`)
}
const call = async (id: string, input: object): Promise<Record<string, unknown>> => ({
  ...(await instance.skill(id).handler(contextOf(), input as never)),
})

describe('tools of an upstream', () => {
  it('put path parameters into the path, the rest into the query of a GET', async () => {
    await start((incoming, response) => {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
      response.end(JSON.stringify({ url: incoming.url, auth: incoming.headers.authorization }))
    })
    const input = { city: 'São Paulo', days: 3, tags: ['a', 'b'], at: { x: 1 }, none: null }
    expect(await call('w.city', input)).toEqual({
      ok: true,
      output: {
        url: '/api/cities/S%C3%A3o%20Paulo?days=3&tags=a&tags=b&at=%7B%22x%22%3A1%7D',
        auth: 'Bearer t',
      },
    })
  })

  it('write a list in the path with commas, and yes and no as words', async () => {
    await start((incoming, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ url: incoming.url }))
    })
    const asked = async (city: unknown) => (await call('w.city', { city, days: 1 }))['output']
    expect(await asked(['a b', 'c,d', 3])).toEqual({ url: '/api/cities/a%20b,c%2Cd,3?days=1' })
    expect(await asked(false)).toEqual({ url: '/api/cities/false?days=1' })
    for (const city of [[], '', ['a', {}], { a: 1 }, null])
      expect(await call('w.city', { city, days: 1 })).toMatchObject({
        code: 'INVALID_INPUT',
        details: { issues: [{ path: '/city', message: 'must be text, not empty' }] },
      })
    expect(await call('w.city', { city: ['a', '\uD800'], days: 1 })).toMatchObject({
      details: { issues: [{ path: '/city', message: 'holds what is no character' }] },
    })
  })

  it('send a JSON body otherwise', async () => {
    await start((incoming, response) => {
      response.writeHead(201, { 'content-type': 'application/json' })
      incoming.pipe(response)
    })
    expect(await call('w.report', { id: 'r1', rows: [1] })).toEqual({
      ok: true,
      output: { rows: [1] },
    })
    expect(upstream.requests[0]).toMatchObject({
      method: 'POST',
      url: '/api/reports/r1',
      headers: { 'content-type': 'application/json', 'content-length': '12' },
    })
  })

  it('send a body that is no object, or none, as the schema says', async () => {
    upstream = await startUpstream((incoming, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      incoming.pipe(response)
    })
    instance = await proxyOf(`product_id: w
upstream: { url: "${upstream.url}", allow_private: true }
skills:
  - id: w.list
    route: POST /lists/{name}
    tool: w.list
    price: { credits: 1 }
    example: { input: { name: n } }
    input:
      type: object
      x-body-schema: { type: array, items: { type: integer }, example: [1, 2] }
  - id: w.start
    route: POST /jobs/{name}/start
    tool: w.start
    price: { credits: 1 }
    input: { type: object, x-body: none, properties: { at: { type: string } } }
`)
    const [tool] = instance.skill('w.list').tools
    expect(tool).toMatchObject({
      input: { properties: { body: { type: 'array' } }, required: ['name', 'body'] },
      example: { input: { name: 'n', body: [1, 2] } },
    })
    expect(await call('w.list', { name: 'a', body: [3, 4] })).toMatchObject({
      output: { text: '[3,4]' },
    })
    expect(await call('w.start', { name: 'a', at: '9:00' })).toEqual({ ok: true, output: {} })
    expect(upstream.requests).toMatchObject([
      { url: '/lists/a', headers: { 'content-type': 'application/json' } },
      { url: '/jobs/a/start?at=9%3A00', headers: { 'content-length': '0' } },
    ])
    expect(upstream.requests[1]!.headers['content-type']).toBeUndefined()
  })

  it('cannot have a member body beside a body that is no object', async () => {
    upstream = await startUpstream((_, response) => response.end())
    const yaml = `product_id: w
upstream: { url: "${upstream.url}", allow_private: true }
skills:
  - { id: w.a, route: POST /a, tool: w.a, price: { credits: 1 }, input: { type: object, x-body-schema: {}, properties: { body: {} } } }
`
    await expect(proxyOf(yaml)).rejects.toThrow('skill w.a is a tool and has the member body')
    instance = await proxyOf(yaml.replace('tool: w.a, ', ''))
  })

  it('answer the JSON as it came, on one line, where its numbers have more digits than a double', async () => {
    const body = '{\r\n  "id": 1234567890123456789,\n  "text": "a\\nb"\n}\n'
    await start((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(body)
    })
    const answer = await call('w.city', { city: 'Bern', days: 1 })
    expect(answer).toMatchObject({ ok: true, output: { text: 'a\nb' } })
    expect(answer['json']).toBe('{   "id": 1234567890123456789,   "text": "a\\nb" }')
  })

  it('write lists and objects, and a form, as the schema says', async () => {
    upstream = await startUpstream((incoming, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      incoming.pipe(response)
    })
    instance = await proxyOf(`product_id: w
upstream: { url: "${upstream.url}", allow_private: true }
skills:
  - id: w.form
    route: POST /form
    tool: w.form
    price: { credits: 1 }
    input:
      type: object
      x-body: application/x-www-form-urlencoded
      properties:
        ids: { type: array, x-in: query, x-style: comma }
        at: { type: object, x-in: query, x-style: members }
        words: { type: array, x-in: query, x-style: pipe }
        items: { type: array, x-style: deepObject }
        expand: { type: array, x-style: deepObject }
        meta: { type: object, x-style: deepObject }
        plain: { type: array }
        json: { type: object }
`)
    const input = {
      ids: [1, 2],
      at: { x: 1, y: [2, 3] },
      words: ['a', 'b'],
      items: [{ price: 'p', n: 1 }, { price: 'q' }],
      expand: ['a.b', 'c'],
      meta: { k: { l: true }, none: null },
      plain: ['ä', 2],
      json: { a: 1 },
      left: null,
    }
    const answer = await call('w.form', input)
    expect(decodeURIComponent(upstream.requests[0]!.url)).toBe(
      '/form?ids=1,2&x=1&y=2&y=3&words=a|b',
    )
    expect(upstream.requests[0]!.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect([...new URLSearchParams((answer['output'] as { text: string }).text)]).toEqual([
      ['items[0][price]', 'p'],
      ['items[0][n]', '1'],
      ['items[1][price]', 'q'],
      ['expand[]', 'a.b'],
      ['expand[]', 'c'],
      ['meta[k][l]', 'true'],
      ['plain', 'ä'],
      ['plain', '2'],
      ['json', '{"a":1}'],
    ])
  })

  it('write a member of the path into the body too where the input says so', async () => {
    upstream = await startUpstream((incoming, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-url': incoming.url! })
      incoming.pipe(response)
    })
    instance = await proxyOf(`product_id: w
upstream: { url: "${upstream.url}", allow_private: true }
skills:
  - id: w.a
    route: PUT /a/{id}/{part}
    price: { credits: 1 }
    input: { type: object, properties: { id: { type: integer, x-in: body }, n: {} } }
`)
    const input = { id: 7, part: 'p', n: 1 }
    expect(await call('w.a', input)).toEqual({ ok: true, output: { id: 7, n: 1 } })
    expect(upstream.requests[0]!.url).toBe('/a/7/p')
  })

  it('send a text and a file as they are', async () => {
    upstream = await startUpstream((incoming, response) => {
      response.writeHead(200, { 'content-type': incoming.headers['content-type'] })
      incoming.pipe(response)
    })
    instance = await proxyOf(`product_id: w
upstream: { url: "${upstream.url}", allow_private: true }
skills:
  - { id: w.text, tool: w.text, route: POST /t, price: { credits: 1 }, input: { type: object, x-body: text/plain, x-body-schema: { type: string } } }
  - { id: w.file, tool: w.file, route: POST /f, price: { credits: 1 }, input: { type: object, x-body: image/png, x-body-schema: { type: string, format: binary } } }
`)
    for (const id of ['w.text', 'w.file']) expect(instance.skill(id).checksForward).toBe(false)
    expect(await call('w.text', { body: 'ä -> b' })).toMatchObject({
      output: { contentType: 'text/plain', text: 'ä -> b' },
    })
    const base64 = Buffer.from([0x89, 0x50, 0x00, 0xff]).toString('base64')
    for (const body of [
      base64,
      `data:image/png;base64,${base64}`,
      `${base64.slice(0, 3)}\n${base64.slice(3)}`,
    ])
      expect(await call('w.file', { body })).toEqual({
        ok: true,
        output: { contentType: 'image/png', base64 },
      })
    for (const body of ['', 'no base64!', 7])
      expect(await call('w.file', { body })).toMatchObject({
        code: 'INVALID_INPUT',
        details: { issues: [{ path: '/body', message: 'must be a file as base64' }] },
      })
    expect(instance.skill('w.file').tools).toMatchObject([
      {
        input: {
          properties: { body: { type: 'string', contentEncoding: 'base64' } },
          required: ['body'],
        },
      },
    ])
  })

  it('send a form with files', async () => {
    const forms: FormData[] = []
    const texts: string[] = []
    upstream = await startUpstream(async (incoming, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      const headers = { 'content-type': incoming.headers['content-type']! }
      const body = Buffer.concat(chunks)
      texts.push(body.toString())
      forms.push(await new Response(body, { headers }).formData())
      response.end()
    })
    instance = await proxyOf(`product_id: w
upstream: { url: "${upstream.url}", allow_private: true }
skills:
  - id: w.a
    route: POST /a
    tool: w.a
    price: { credits: 1 }
    input:
      type: object
      x-body: multipart/form-data
      properties:
        scan: { type: string, format: binary, contentMediaType: image/png }
        pages: { type: array, items: { type: string, format: binary } }
        note: { type: string }
        dry: { type: boolean, x-in: query }
      required: [scan]
`)
    const file = (text: string) => Buffer.from(text).toString('base64')
    const input = { scan: file('s'), pages: [file('1'), file('2')], note: 'ä', dry: true }
    expect(await call('w.a', input)).toEqual({ ok: true, output: {} })
    expect(upstream.requests[0]!.url).toBe('/a?dry=true')
    const [form] = forms
    const scan = form!.get('scan') as File
    expect([scan.name, await scan.text(), form!.get('note')]).toEqual(['scan', 's', 'ä'])
    expect(texts[0]).toContain('filename="scan"\r\nContent-Type: image/png\r\n')
    const pages = form!.getAll('pages') as File[]
    expect(await Promise.all(pages.map((page) => page.text()))).toEqual(['1', '2'])
    expect(await call('w.a', { scan: 'ä' })).toMatchObject({
      details: { issues: [{ path: '/scan' }] },
    })
    expect(instance.skill('w.a').tools).toMatchObject([
      {
        input: {
          properties: {
            scan: { contentEncoding: 'base64', description: 'A file, as base64' },
            pages: { items: { contentEncoding: 'base64' } },
            note: { type: 'string' },
          },
          required: ['scan'],
        },
      },
    ])
  })

  it('put headers into the request, and refuse what no header can hold', async () => {
    upstream = await startUpstream((incoming, response) => {
      const { accept, 'x-mode': mode, 'x-list': list } = incoming.headers
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ url: incoming.url, accept, mode, list }))
    })
    instance = await proxyOf(`product_id: w
upstream: { url: "${upstream.url}", allow_private: true, forward_headers: [X-Mode, x-list] }
skills:
  - id: w.a
    route: GET /a
    price: { credits: 1 }
    input:
      type: object
      properties:
        X-Mode: { type: string, x-in: header }
        X-List: { type: array, x-in: header }
        accept: { type: string, x-in: header }
`)
    const input = { 'X-Mode': 'fast one', 'X-List': ['a', 2], accept: 'text/csv', q: 'x' }
    expect(await call('w.a', input)).toMatchObject({
      output: { url: '/a?q=x', accept: 'text/csv', mode: 'fast one', list: 'a,2' },
    })
    expect(await call('w.a', { 'X-Mode': null })).toEqual({
      ok: true,
      output: { url: '/a', accept: 'application/json' },
    })
    for (const value of ['a\r\nx-evil: 1', 'é', { a: 1 }, [['a']]])
      expect(await call('w.a', { 'X-Mode': value })).toMatchObject({
        code: 'INVALID_INPUT',
        details: { issues: [{ path: '/X-Mode', message: expect.stringContaining('header') }] },
      })
  })

  it('refuse a header that does not pass to the upstream', async () => {
    upstream = await startUpstream((_, response) => response.end())
    const spec = (input: string) => `product_id: w
upstream: { url: "${upstream.url}", allow_private: true }
skills:
  - { id: w.a, route: POST /a, price: { credits: 1 }, input: ${input} }
`
    await expect(
      proxyOf(spec('{ type: object, properties: { X-Mode: { x-in: header } } }')),
    ).rejects.toThrow('its input has the header X-Mode, which upstream.forward_headers must name')
    instance = await proxyOf(spec('{ type: object }'))
  })

  it.each([
    ['{ type: integer, x-in: query }', true],
    ['{ type: array, items: { type: integer }, x-in: query }', true],
    ['{ type: array, x-in: query }', true],
    ['{ type: array, items: { type: integer }, x-in: query, x-style: comma }', false],
    ['{ type: object, x-in: query }', false],
    ['{ type: object }', true],
  ])(
    'leave the check of an HTTP body to the upstream beside what it cannot read: %s',
    async (member, isChecked) => {
      upstream = await startUpstream((_, response) => response.end())
      instance = await proxyOf(`product_id: w
upstream: { url: "${upstream.url}", allow_private: true }
skills:
  - { id: w.a, route: POST /a, price: { credits: 1 }, input: { type: object, properties: { a: ${member} } } }
`)
      expect(instance.skill('w.a').checksForward).toBe(isChecked)
    },
  )

  it.each(['', ', required: [b]'])('and beside a header that must be there%s', async (required) => {
    upstream = await startUpstream((_, response) => response.end())
    instance = await proxyOf(`product_id: w
upstream: { url: "${upstream.url}", allow_private: true, forward_headers: [b] }
skills:
  - { id: w.a, route: POST /a, price: { credits: 1 }, input: { type: object, properties: { b: { x-in: header } }${required} } }
`)
    expect(instance.skill('w.a').checksForward).toBe(required === '')
  })

  it.each([
    ['image/png', 'a: { type: string }', 'must be said by x-body-schema'],
    [
      'application/json',
      'a: { x-style: commas }',
      'the x-style of a is "commas", and must be one of',
    ],
  ])('refuse an input that no tool can send: %s, %s', async (type, members, words) => {
    upstream = await startUpstream((_, response) => response.end())
    const product = `product_id: w
upstream: { url: "${upstream.url}", allow_private: true }
skills:
  - { id: w.a, route: POST /a, tool: w.a, price: { credits: 1 }, input: { type: object, x-body: ${type}, properties: { ${members} } } }
`
    await expect(proxyOf(product)).rejects.toThrow(words)
    instance = await proxyOf(product.replace(' tool: w.a,', '').replace('commas', 'comma'))
  })

  it('tell a client every five seconds that the upstream is waited for', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    try {
      let arrived!: (response: ServerResponse) => void
      const waiting = new Promise<ServerResponse>((resolve) => (arrived = resolve))
      await start((_, response) => arrived(response))
      const told: unknown[] = []
      const context = contextOf({ progress: (report) => void told.push(report) })
      const answer = instance.skill('w.city').handler(context, { city: 'Oslo', days: 1 } as never)
      const response = await waiting
      vi.advanceTimersByTime(12_000)
      expect(told).toEqual([
        { progress: 5, message: 'Waiting for the upstream, 5 s so far' },
        { progress: 10, message: 'Waiting for the upstream, 10 s so far' },
      ])
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      expect(await answer).toEqual({ ok: true, output: {} })
      vi.advanceTimersByTime(12_000)
      expect(told).toHaveLength(2)
    } finally {
      vi.useRealTimers()
    }
  })

  it('cannot be pointed elsewhere by a parameter', async () => {
    await start((_, response) => response.end())
    for (const city of ['..', '.', '../admin', 'a/b', 'a\\b', '%2e%2e', '', 7.5e300, {}, null])
      await call('w.city', { city, days: 1 })
    for (const { url } of upstream.requests) expect(url).toMatch(/^\/api\/cities\/[^/]+\?days=1$/)
    expect(await call('w.city', { city: '..', days: 1 })).toMatchObject({ code: 'INVALID_INPUT' })
    expect(await call('w.city', { city: '', days: 1 })).toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('may each have an input of their own', async () => {
    await start((_, response) => response.end())
    const [tool] = instance.skill('w.report').tools
    expect(tool).toMatchObject({ name: 'w.report', input: { required: ['rows'] } })
  })

  it('name the path parameters in their input', async () => {
    await start((_, response) => response.end())
    expect(instance.skill('w.city').input).toMatchObject({
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city', 'days'],
    })
  })

  it('give text and bytes in a JSON wrapper, and nothing as an empty object', async () => {
    const latin1 = Buffer.from('caf\u00e9', 'latin1')
    const answers: [string | undefined, string | Buffer, unknown][] = [
      ['text/plain; charset=utf-8', 'hi', { contentType: 'text/plain', text: 'hi' }],
      ['text/csv; charset="ISO-8859-1"', latin1, { contentType: 'text/csv', text: 'caf\u00e9' }],
      ['text/csv; charset=latin1', 'caf\u00e9', { contentType: 'text/csv', text: 'caf\u00e9' }],
      ['text/csv; charset=none', latin1, { contentType: 'text/csv', text: 'caf\ufffd' }],
      ['image/png', 'hi', { contentType: 'image/png', base64: 'aGk=' }],
      [undefined, '', {}],
    ]
    let at = 0
    await start((_, response) => {
      const [type, text] = answers[at]!
      if (type !== undefined) response.setHeader('content-type', type)
      response.end(text)
    })
    for (; at < answers.length; at += 1)
      expect(await call('w.report', { id: 'a' })).toEqual({ ok: true, output: answers[at]![2] })
  })

  it('take a coding that is none, in letters of any case', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'Identity' }
    await start((_, response) => response.writeHead(200, headers).end('{"a":1}'))
    expect(await call('w.report', { id: 'a' })).toEqual({ ok: true, output: { a: 1 } })
  })

  it.each([
    ['what is no JSON', { 'content-type': 'application/json' }, '{"a":', 'not valid JSON'],
    ['what is compressed unasked', { 'content-encoding': 'gzip' }, 'x', 'compressed'],
    ['what is too long', {}, 'x'.repeat(11 * 1024 * 1024), 'larger than'],
  ] as const)('fail for %s', async (_, headers, body, words) => {
    await start((_incoming, response) => response.writeHead(200, headers).end(body))
    const result = await call('w.report', { id: 'a' })
    expect(result).toMatchObject({ ok: false, code: 'UPSTREAM_FAILURE' })
    expect(result['message']).toContain(words)
  })

  it('fail for every status but 2xx', async () => {
    await start((_, response) => response.writeHead(422).end('{"detail":"secret"}'))
    expect(await call('w.report', { id: 'a' })).toMatchObject({
      ok: false,
      code: 'INVALID_INPUT',
      details: { upstreamStatus: 422 },
    })
  })
})

it('a wildcard route cannot be a tool', async () => {
  const spec = 'product_id: w\nupstream: { url: "http://up.example.com" }\nskills:\n'
  const skill = '  - { id: w.all, route: "GET /*", tool: w.all, price: { credits: 1 } }\n'
  await expect(proxyOf(spec + skill)).rejects.toThrow('one method and one path')
})
