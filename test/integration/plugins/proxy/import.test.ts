/** `coinop product import` of a document that is fetched. */
import { expect, it } from 'vitest'
import type { PluginCommandContext } from '../../../../kernel/index.ts'
import { importCommand } from '../../../../plugins/proxy/import.ts'

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
