import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { firstIdAt } from '../../../kernel/ids.ts'
import { EXIT, type PluginCommandContext } from '../../../kernel/plugins/command.ts'
import { productChanges } from '../../../plugins/admin/commands/product-changes.ts'
import { creditsRefund } from '../../../plugins/admin/commands/refund.ts'
import { logsTail } from '../../../plugins/console/commands/logs.ts'
import { remoteOf, telling, tokenFor } from '../../../plugins/shared/commands/remote.ts'

/** The end of a command that asks whatever listens on `port`, and what it said. */
async function asking(port: number): Promise<{ exit: number; said: string[] }> {
  const said: string[] = []
  const context = {
    options: {},
    publicUrl: `http://127.0.0.1:${port}`,
    adminToken: 'a token',
    warn: (text: string) => void said.push(text),
  } as unknown as PluginCommandContext
  const exit = await telling(context, async () => {
    await remoteOf(context).ask('GET', '/v1/keys')
    return EXIT.ok
  })
  return { exit, said }
}

it('a gateway that breaks off in its answer cannot be reached', async () => {
  const breaking = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data: (socket) => {
        socket.end(
          'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
        )
      },
    },
  })
  try {
    const { exit, said } = await asking(breaking.port)
    expect(exit).toBe(EXIT.unavailable)
    expect(said).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+ cannot be reached: /)])
  } finally {
    breaking.stop(true)
  }
})

it('the token that is kept here is for the gateway here alone', () => {
  const here = { publicUrl: 'https://gateway.example', adminToken: 'a token' }
  expect(tokenFor('https://gateway.example', here)).toBe('a token')
  for (const url of [
    'http://gateway.example',
    'https://gateway.example.evil',
    'https://other.example',
  ])
    expect(tokenFor(url, here)).toBeNull()
})

/** The id of a request that was answered so many milliseconds after the first. */
const idAt = (ms: number): string => firstIdAt(new Date(Date.UTC(2026, 10, 30) + ms))

/** What `logs tail` says of a gateway that answers so, one answer after another; a failure ends it. */
async function tailing(
  answers: readonly (readonly [ids: readonly string[], nextCursor: string | null] | number)[],
): Promise<{ exit: number; said: string[]; warned: string[]; asked: string[] }> {
  const left = [...answers]
  const asked: string[] = []
  const gateway = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch({ url }) {
      asked.push(new URL(url).search)
      const answer = left.shift() ?? 403
      if (typeof answer === 'number')
        return Response.json({ error: { message: 'no' } }, { status: answer })
      const [ids, nextCursor] = answer
      return Response.json({ requests: ids.map((id) => ({ id })), nextCursor })
    },
  })
  const said: string[] = []
  const warned: string[] = []
  const { isTTY } = process.stdout
  process.stdout.isTTY = false
  const context = {
    options: { code: 'X' },
    publicUrl: gateway.url.origin,
    adminToken: 'a token',
    say: (text: string) => void said.push(JSON.parse(text).id),
    warn: (text: string) => void warned.push(text),
  } as unknown as PluginCommandContext
  try {
    return { exit: await logsTail.run(context), said, warned, asked }
  } finally {
    process.stdout.isTTY = isTTY
    await gateway.stop(true)
  }
}

it('logs tail shows all that came since its last look, also what was written down late', async () => {
  const [a, late, b, c, d] = [60_000, 64_000, 65_000, 66_000, 80_000].map(idAt) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const { exit, said, asked } = await tailing([
    [[b], null],
    [[b, a], 'older'],
    [[d], null],
    [[d, c], c],
    [[b, late], null],
    [[d], null],
    [[d], null],
  ])
  expect(exit).toBe(EXIT.failed)
  expect(said).toEqual([a, b, late, c, d])
  expect(asked).toEqual([
    '?limit=1',
    '?code=X&limit=20',
    '?limit=1',
    `?code=X&limit=200&after=${idAt(55_000)}`,
    `?code=X&limit=200&after=${idAt(55_000)}&cursor=${c}`,
    '?limit=1',
    `?code=X&limit=200&after=${idAt(70_000)}`,
    '?limit=1',
  ])
})

it('logs tail goes on where a filter finds nothing, and after the gateway was started anew', async () => {
  const { said, warned, asked } = await tailing([
    [[idAt(60_000)], null],
    [[], idAt(1)],
    503,
    [[idAt(90_000)], null],
    [[idAt(90_000)], null],
  ])
  expect(said).toEqual([idAt(90_000)])
  expect(warned).toEqual([
    expect.stringContaining('answered 503: no; waiting for it'),
    expect.anything(),
  ])
  expect(asked.filter((query) => query.includes('after'))).toEqual([
    `?code=X&limit=200&after=${idAt(50_000)}`,
  ])
})

it('credits refund gives back what it can of many, and says the rest', async () => {
  const asked: unknown[] = []
  const gateway = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const body = (await request.json()) as { requestId: string }
      asked.push(body)
      return body.requestId === 'b'
        ? Response.json({ error: { message: 'No charged call' } }, { status: 404 })
        : Response.json({ ...body, state: 'refunded', amountCredits: 2, ledgerId: 'row' })
    },
  })
  const said: string[] = []
  const printed: unknown[] = []
  const context = {
    positionals: ['a', 'b', 'c'],
    options: { key: 'key_1' },
    publicUrl: gateway.url.origin,
    adminToken: 'a token',
    warn: (text: string) => void said.push(text),
    printRows: (rows: unknown[]) => void printed.push(...rows),
  } as unknown as PluginCommandContext
  try {
    expect(await creditsRefund.run(context)).toBe(EXIT.failed)
  } finally {
    await gateway.stop(true)
  }
  const ids = ['a', 'b', 'c']
  expect(asked).toEqual(ids.map((requestId) => ({ requestId, apiKeyId: 'key_1' })))
  expect(printed).toMatchObject([{ requestId: 'a' }, { requestId: 'c' }])
  expect(said).toEqual([expect.stringMatching(/^b: .* answered 404: No charged call$/)])
})

it('product put sends the file as it is, and says what the gateway warns of', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-put-'))
  const text = '# kept\nproduct_id: tides\nupstream: { url: "https://tides.example" }\n'
  const files = { 'one.yaml': text, 'two.yaml': `${text}---\nproduct_id: more\n`, 'none.yaml': 'a' }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const asked: unknown[] = []
  const gateway = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { method, url, headers } = request
      asked.push([method, new URL(url).pathname, headers.get('content-type'), await request.text()])
      const warnings = [{ path: '/skills/0', message: 'is odd', line: 3, column: 1 }]
      return Response.json({ product_id: 'tides', version: 4, created: false, warnings })
    },
  })
  const said: string[] = []
  const printed: unknown[] = []
  const put = productChanges.find(({ name }) => name === 'product put')!
  const putting = (name: string) =>
    put.run({
      positionals: [join(folder, name)],
      options: {},
      publicUrl: gateway.url.origin,
      adminToken: 'a token',
      warn: (line: string) => void said.push(line),
      printRecord: (record: unknown) => void printed.push(record),
    } as unknown as PluginCommandContext)
  try {
    expect(await putting('one.yaml')).toBe(EXIT.ok)
    for (const name of ['two.yaml', 'none.yaml']) expect(await putting(name)).toBe(EXIT.failed)
  } finally {
    await gateway.stop(true)
    rmSync(folder, { recursive: true })
  }
  expect(asked).toEqual([['PUT', '/v1/admin/products/tides', 'application/yaml', text]])
  expect(printed).toEqual([{ product: 'tides', revision: 4, created: false }])
  expect(said).toEqual([
    'warning: line 3: /skills/0 is odd',
    expect.stringContaining('has several products'),
    expect.stringContaining('has no product_id'),
  ])
})
