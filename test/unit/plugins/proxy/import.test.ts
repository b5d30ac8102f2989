/** What `coinop product import` reads, and what it says of operations that it left out. */
import { expect, it } from 'vitest'
import type { PluginCommandContext } from '../../../../kernel/index.ts'
import { importCommand, summed } from '../../../../plugins/proxy/import.ts'

it('puts a server that is a path beside where a redirect led', async () => {
  const document = { servers: [{ url: '/v2' }], paths: { '/a': { get: {} } } }
  const moved = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => Response.json(document) })
  const old = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => Response.redirect(`${moved.url}openapi.json`, 301),
  })
  const said: string[] = []
  try {
    const code = await importCommand.run({
      positionals: [`${old.url}openapi.json`],
      options: { price: '1' },
      say: (text: string) => said.push(text),
      warn: () => {},
      productProblems: () => [],
    } as unknown as PluginCommandContext)
    expect(code).toBe(0)
  } finally {
    await Promise.all([moved.stop(true), old.stop(true)])
  }
  expect(said.join('\n')).toContain(`url: ${moved.url}v2`)
})

const untagged = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `GET /${i}: it has no tag pets`)

it('names up to five operations of other tags', () => {
  expect(summed(untagged(5))).toEqual(untagged(5))
})

it('counts more of them in one line, and names what was left out for another reason', () => {
  const other = 'POST /upload: its body is not JSON'
  expect(summed([...untagged(3), other, ...untagged(3)])).toEqual([
    other,
    '6 operations: it has no tag pets',
  ])
})

it('counts operations with one other reason in one line, with their places', () => {
  const files = Array.from({ length: 6 }, (_, i) => `POST /${i}: its body is image/png`)
  expect(summed([...files, 'the credentials key: say them'])).toEqual([
    '6 operations: its body is image/png: POST /0, POST /1, POST /2, POST /3, POST /4, POST /5',
    'the credentials key: say them',
  ])
})
