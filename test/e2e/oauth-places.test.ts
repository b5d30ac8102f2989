/** OAuth on a host of its own, and what is deleted when it has ended. */
import { request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deleteEnded } from '../../plugins/oauth/rounds.ts'
import { pluginDb } from '../../kernel/storage/plugin-db.ts'
import { oauthGround, type OAuthGround } from '../support/oauth-ground.ts'

let ground: OAuthGround

beforeAll(async () => {
  ground = await oauthGround({ MCP_OAUTH_URL: 'https://mcp.example.com' })
})
afterAll(() => ground.close())

/** The answer to a GET whose Host header is this one. */
function get(path: string, host: string): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(ground.url)
  return new Promise((resolve, reject) => {
    const asking = request({ hostname, port, path, headers: { host } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    asking.on('error', reject).end()
  })
}

it('the root of its own host has the documents, and no other root', async () => {
  for (const path of [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
  ]) {
    const own = await get(path, 'mcp.example.com')
    expect(own.status, path).toBe(200)
    expect(own.text).toContain('"https://mcp.example.com/mcp/oauth"')
    expect((await get(path, new URL(ground.url).host)).status, path).toBe(404)
  }
})

it('what has an end is gone after it, and what is in use stays', async () => {
  const { sql } = ground.database.db
  const { browser } = await ground.person()
  const app = await ground.app()
  const unused = await ground.app()
  await browser.consent(app.authorizeUrl({ resource: null }))
  await app.tokens(browser, [['day', '5']], { resource: null })
  await sql`UPDATE plugin_oauth.oauth_client SET created_at = now() - interval '91 days'`
  await sql`UPDATE plugin_oauth.oauth_request SET ends_at = now()`
  await sql`UPDATE plugin_oauth.oauth_code SET ends_at = now() - interval '2 days'`
  await deleteEnded(pluginDb(ground.database.db, 'oauth'), new AbortController().signal)
  const count = async (table: string): Promise<number> =>
    (await sql.unsafe<{ n: number }[]>(`SELECT count(*)::int AS n FROM plugin_oauth.${table}`))[0]!
      .n
  expect(await count('oauth_request')).toBe(0)
  expect(await count('oauth_code')).toBe(0)
  expect(await count('oauth_token')).toBe(2)
  const left = await sql<{ id: string }[]>`SELECT id FROM plugin_oauth.oauth_client`
  expect(left.map(({ id }) => id)).toEqual([app.clientId])
  expect(unused.clientId).not.toBe(app.clientId)
})
