/** Clients that publish nonsense, callers that use up limits, ends while something is under way. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pluginDb } from '../../kernel/storage/plugin-db.ts'
import { Requests } from '../../plugins/oauth/grants/requests.ts'
import { Grants } from '../../plugins/oauth/grants/grants.ts'
import { Rates } from '../../plugins/oauth/rates.ts'
import { deleteEnded } from '../../plugins/oauth/rounds.ts'
import { accountServices } from '../support/account-services.ts'
import { silentLog } from '../support/log.ts'
import { documentHost, type DocumentHost } from '../support/oauth-documents.ts'
import { oauthGround, type OAuthGround } from '../support/oauth-ground.ts'
import { App, callTool, hidden, rpc } from '../support/oauth.ts'

let ground: OAuthGround
let documents: DocumentHost

beforeAll(async () => {
  documents = documentHost()
  ground = await oauthGround({
    ALLOW_PRIVATE_TARGETS: documents.endpoint,
    NODE_EXTRA_CA_CERTS: documents.certificateFile,
  })
})
afterAll(async () => {
  await ground.close()
  await documents.close()
})

describe('a document', () => {
  const provenBy = (path: string, keys: object[]): App => {
    const app = new App(ground.url)
    app.clientId = documents.publish(path, {
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys },
    })
    return app
  }
  const assertionOf = async (app: App, kid: string): Promise<Record<string, string>> => {
    const { privateKey } = await generateKeyPair('RS256')
    const at = Math.floor(Date.now() / 1000)
    const { clientId } = app
    const claims = { iss: clientId, sub: clientId, aud: `${ground.url}/mcp/oauth`, exp: at + 60 }
    const jwt = new SignJWT({ ...claims, jti: crypto.randomUUID() })
    return {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await jwt.setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey),
    }
  }

  it('with keys that are none makes an invalid_client, not a failure of the gateway', async () => {
    const { browser } = await ground.person()
    const publicKey = await exportJWK((await generateKeyPair('RS256')).publicKey)
    const broken: Record<string, object> = {
      empty: { kty: 'RSA', kid: 'k' },
      'no number': { kty: 'RSA', kid: 'k', n: '!!', e: 'AQAB' },
      short: { kty: 'RSA', kid: 'k', n: 'AQAB', e: 'AQAB' },
      'a number for text': { kty: 'RSA', kid: 'k', n: 5, e: {} },
      'no curve': { kty: 'EC', kid: 'k', crv: 'P-999', x: 'AA', y: 'AA' },
      'for something else': { ...publicKey, kid: 'k', use: 'enc', key_ops: ['encrypt'] },
    }
    for (const [at, [name, key]] of Object.entries(broken).entries()) {
      const app = provenBy(`/broken-${at}.json`, [key])
      await browser.consent(app.authorizeUrl())
      const answer = await app.redeem('none', await assertionOf(app, 'k'))
      expect(answer.status, name).toBe(401)
      expect(await answer.json(), name).toMatchObject({ error: 'invalid_client' })
    }
  })

  it('with text that no table takes is refused with a page', async () => {
    for (const [at, text] of ['\u0000', '\ud800'].entries()) {
      const app = provenBy(`/unwritable-${at}.json`, [{ kty: 'RSA', kid: text }])
      const answer = await fetch(app.authorizeUrl(), { redirect: 'manual' })
      expect(answer.status).toBe(400)
    }
  })

  it('that changes while its page is open gets no code at an address it has left, nor another name', async () => {
    const { browser } = await ground.person()
    const app = new App(ground.url)
    const elsewhere = { redirect_uris: ['https://elsewhere.example/callback'] }
    app.clientId = documents.publish('/changing', {})
    const page = await browser.consent(app.authorizeUrl())
    const allow = (name: string) =>
      browser.post('/account/consent', [
        ['csrf', page.csrf],
        ['request', page.request],
        ['app', name],
        ['day', '5'],
        ['decision', 'allow'],
      ])
    /** Publishes it, and has it fetched by somebody's sign-in. */
    const change = async (extra: object) => {
      documents.publish('/changing', { ...extra })
      await ground.database.db.sql`UPDATE plugin_oauth.oauth_client SET fresh_until = now()`
      await browser.open(app.authorizeUrl())
    }
    await change({ ...elsewhere, client_name: 'Your Bank' })
    const left = await allow('Published')
    expect([left.status, left.headers.get('location')]).toEqual([400, null])
    await change({ client_name: 'Your Bank' })
    const renamed = await allow(hidden(page.page, 'app'))
    expect([renamed.status, renamed.headers.get('location')]).toEqual([400, null])
    const again = await renamed.text()
    expect(again).toMatch(/changed its name/)
    const allowed = await allow(hidden(again, 'app'))
    expect([allowed.status, hidden(again, 'app')]).toEqual([303, 'Your Bank'])
  })

  it('that is known is used when others have used up its host’s fetches', async () => {
    const { browser } = await ground.person()
    const app = new App(ground.url)
    app.clientId = documents.publish('/popular.json')
    await browser.consent(app.authorizeUrl())
    const { sql } = ground.database.db
    await sql`UPDATE plugin_oauth.oauth_client SET fresh_until = now() - interval '1 hour'
      WHERE id = ${app.clientId}`
    await sql`UPDATE plugin_oauth.oauth_rate SET full_at = now() + interval '1 day'
      WHERE subject = ${`fetch:${documents.endpoint}`}`
    await browser.consent(app.authorizeUrl())
    const unknown = new App(ground.url)
    unknown.clientId = documents.publish('/unknown.json')
    expect((await fetch(unknown.authorizeUrl(), { redirect: 'manual' })).status).toBe(400)
    expect(documents.asked).not.toContain('/unknown.json')
    await sql`UPDATE plugin_oauth.oauth_client SET fresh_until = now() - interval '2 days'
      WHERE id = ${app.clientId}`
    expect((await fetch(app.authorizeUrl(), { redirect: 'manual' })).status).toBe(400)
    await sql`DELETE FROM plugin_oauth.oauth_rate`
  })
})

describe('limits', () => {
  it('registrations that are refused take nothing from the day’s sum', async () => {
    const { sql } = ground.database.db
    await sql`DELETE FROM plugin_oauth.oauth_rate`
    const app = new App(ground.url, 'javascript:alert(1)')
    for (let at = 0; at < 5; at++) expect((await app.register()).status).toBe(400)
    const taken = await sql`SELECT subject FROM plugin_oauth.oauth_rate
      WHERE subject NOT LIKE 'register:%'`
    expect(taken).toHaveLength(0)
  })

  it('of ten at once that are the first, no more than the burst are let through', async () => {
    const rates = new Rates(pluginDb(ground.database.db, 'oauth'))
    const subject = crypto.randomUUID()
    const waits = await Promise.all(
      Array.from({ length: 10 }, () => rates.take(subject, { burst: 3, perMinute: 1 })),
    )
    expect(waits.filter((waitS) => waitS === null)).toHaveLength(3)
  })

  it('a name of pictures is cut to what a grant may be called', async () => {
    const { browser } = await ground.person()
    const app = new App(ground.url)
    const answer = await app.register({ client_name: '🧾'.repeat(100) })
    expect(answer.status).toBe(201)
    expect((await app.tokens(browser)).token_type).toBe('Bearer')
  })
})

describe('what ends meanwhile', () => {
  it('a closed account gives neither lists nor tokens', async () => {
    const { key, browser } = await ground.person(0)
    const app = await ground.app()
    const tokens = await app.tokens(browser)
    const { sql } = ground.database.db
    const [row] = await sql<{ accountId: string }[]>`
      SELECT g.account_id AS "accountId" FROM plugin_oauth.oauth_grant g
      WHERE g.client_id = ${app.clientId}`
    const closed = await ground.gateways[0].admin('POST', `/v1/accounts/${row!.accountId}/close`)
    expect(closed.status, closed.text).toBe(200)
    expect(key).not.toBe('')
    expect((await app.refresh(tokens.refresh_token)).status).toBe(400)
    expect((await rpc(ground.url, tokens.access_token, 'tools/list')).status).toBe(401)
  })

  it('an account that closes, or a key that ends, before the code came gives no tokens', async () => {
    const { sql } = ground.database.db
    const [first] = ground.gateways
    const ends = {
      account: async (_: string, accountId: string) =>
        first.admin('POST', `/v1/accounts/${accountId}/close`),
      key: async (keyId: string) => first.admin('POST', `/v1/keys/${keyId}/revoke`),
    }
    for (const [what, end] of Object.entries(ends)) {
      const { id, browser } = await ground.person(0)
      const app = await ground.app()
      const code = await app.code(browser)
      const [row] = await sql<{ accountId: string }[]>`
        SELECT g.account_id AS "accountId" FROM plugin_oauth.oauth_grant g
        WHERE g.client_id = ${app.clientId}`
      const ended = await end(id, row!.accountId)
      expect(ended.status, ended.text).toBe(200)
      const answer = await app.redeem(code)
      expect([what, answer.status]).toEqual([what, 400])
      expect(await answer.json()).toMatchObject({ error: 'invalid_grant' })
      const [grant] = await sql<{ reason: string }[]>`
        SELECT g.ended_reason AS reason FROM plugin_oauth.oauth_grant g
        WHERE g.client_id = ${app.clientId}`
      expect(grant?.reason).toBe('key_revoked')
    }
  })

  it('a budget of 0 leaves the sign-in, and pays for nothing', async () => {
    const { browser } = await ground.person()
    const app = await ground.app()
    const first = await app.tokens(browser)
    const { accountKeys } = accountServices(ground.database.db)
    const { sql } = ground.database.db
    const [grant] = await sql<{ id: string; accountId: string }[]>`
      SELECT key_id AS id, account_id AS "accountId" FROM plugin_oauth.oauth_grant
      WHERE client_id = ${app.clientId}`
    await accountKeys.patch(grant!.accountId, grant!.id, { limits: { dayAtomic: 0n } })
    const refreshed = await app.refresh(first.refresh_token)
    expect(refreshed.status).toBe(200)
    const { access_token } = (await refreshed.json()) as { access_token: string }
    const called = await callTool(ground.url, access_token, 'demo.hash', { input: 'x' })
    expect(called.isError).toBe(true)
    expect(called.text).not.toContain('chargedCredits":2')
  })
})

describe('a round', () => {
  it('ends what has lapsed, revokes what a crash left, and leaves the rest', async () => {
    const { sql } = ground.database.db
    const { accountKeys } = accountServices(ground.database.db)
    const { browser } = await ground.person()
    const grantOf = async (app: App): Promise<string> => {
      const [row] = await sql<{ id: string }[]>`
        SELECT key_id AS id FROM plugin_oauth.oauth_grant WHERE client_id = ${app.clientId}`
      return row!.id
    }
    const [unused, waiting, idle, crashed, inUse] = await Promise.all(
      Array.from({ length: 5 }, () => ground.app()),
    )
    await unused!.code(browser)
    await waiting!.code(browser)
    await idle!.tokens(browser)
    await crashed!.tokens(browser)
    const { access_token } = await inUse!.tokens(browser)
    const ids = await Promise.all(
      [unused!, waiting!, idle!, crashed!, inUse!].map((app) => grantOf(app)),
    )
    await sql`UPDATE plugin_oauth.oauth_code SET ends_at = now() WHERE grant_id = ${ids[0]!}`
    await sql`UPDATE plugin_oauth.oauth_token SET ends_at = now()
      WHERE grant_id = ${ids[2]!} AND kind = 'refresh'`
    await sql`UPDATE plugin_oauth.oauth_grant SET ended_at = now(), ended_reason = 'revoked'
      WHERE key_id = ${ids[3]!}`

    const db = pluginDb(ground.database.db, 'oauth')
    const told: string[] = []
    const grants = new Grants({
      db,
      accountKeys,
      requests: new Requests(db),
      tokens: {
        async drop(grantId) {
          told.push(grantId)
        },
      },
      codeTtlMs: 60_000,
      log: silentLog,
    })
    await grants.tidy(1000)
    await grants.tidy(1000)
    const rows = await sql<{ reason: string | null; isRevoked: boolean; isKeyRevoked: boolean }[]>`
      SELECT g.ended_reason AS reason, g.revoked_at IS NOT NULL AS "isRevoked",
        k.revoked_at IS NOT NULL AS "isKeyRevoked"
      FROM unnest(${ids}::text[]) WITH ORDINALITY AS w(id, at)
      JOIN plugin_oauth.oauth_grant g ON g.key_id = w.id JOIN coinop.api_key k ON k.id = w.id
      ORDER BY w.at`
    const over = { isRevoked: true, isKeyRevoked: true }
    const open = { reason: null, isRevoked: false, isKeyRevoked: false }
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { reason: 'lapsed', ...over },
      open,
      { reason: 'lapsed', ...over },
      { reason: 'revoked', ...over },
      open,
    ])
    expect(told.filter((id) => ids.includes(id)).toSorted()).toEqual([ids[0], ids[2]].toSorted())
    expect((await rpc(ground.url, access_token, 'tools/list')).status).toBe(200)
  })

  it('keeps a client whose person puts the sign-in off, unless there are very many', async () => {
    const { sql } = ground.database.db
    const app = await ground.app()
    const db = pluginDb(ground.database.db, 'oauth')
    const isKnown = async (ageDays: number): Promise<boolean> => {
      await sql`UPDATE plugin_oauth.oauth_client SET created_at = now() - make_interval(days => ${ageDays})
        WHERE id = ${app.clientId}`
      await deleteEnded(db, new AbortController().signal)
      const rows = await sql`SELECT FROM plugin_oauth.oauth_client WHERE id = ${app.clientId}`
      return rows.length > 0
    }
    expect(await isKnown(30)).toBe(true)
    await sql`INSERT INTO plugin_oauth.oauth_client (id, kind, name, redirect_uris, auth_method)
      SELECT 'flood ' || n, 'registered', 'flood', '[]', 'none' FROM generate_series(1, 5000) AS n`
    expect(await isKnown(0)).toBe(true)
    expect(await isKnown(2)).toBe(false)
    await sql`DELETE FROM plugin_oauth.oauth_client WHERE starts_with(id, 'flood ')`
  })

  it('keeps a client for as long as a grant of it is known', async () => {
    const { sql } = ground.database.db
    const { browser } = await ground.person()
    const app = await ground.app()
    await app.tokens(browser)
    const db = pluginDb(ground.database.db, 'oauth')
    const isKnown = async (): Promise<boolean> => {
      await deleteEnded(db, new AbortController().signal)
      const rows = await sql`SELECT FROM plugin_oauth.oauth_client WHERE id = ${app.clientId}`
      return rows.length > 0
    }
    await sql`UPDATE plugin_oauth.oauth_client SET created_at = now() - interval '200 days'
      WHERE id = ${app.clientId}`
    expect(await isKnown()).toBe(true)
    await sql`UPDATE plugin_oauth.oauth_grant SET ended_at = now(), revoked_at = now() - interval '91 days'
      WHERE client_id = ${app.clientId}`
    await sql`UPDATE plugin_oauth.oauth_code SET ends_at = now() - interval '2 days'`
    await isKnown()
    expect(await isKnown()).toBe(false)
  })
})
