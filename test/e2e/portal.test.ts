/** The account pages over HTTP: ways in, what each may see, and what attackers try. */
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { mailServer, type MailServer } from '../support/mail.ts'
import { freePort } from '../support/ports.ts'
import { PortalVisitor } from '../support/portal.ts'
import { PATIENT } from '../support/patience.ts'

const wallet = () => privateKeyToAccount(generatePrivateKey())

let database: TestDatabase
let gateway: GatewayProcess
let publicUrl: string
let mail: MailServer

const MASTER_KEY = Buffer.alloc(32, 5).toString('base64')

beforeAll(async () => {
  mail = await mailServer()
  database = await testDatabase()
  const port = await freePort()
  publicUrl = `http://localhost:${port}`
  gateway = await startGateway({
    DATABASE_URL: database.url,
    COINOP_MASTER_KEY: MASTER_KEY,
    SANDBOX: 'true',
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    SANDBOX_CHAIN: 'false',
    SMTP_URL: mail.url,
    MAIL_FROM: 'accounts@example.com',
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    LOG_LEVEL: 'info',
    // All visitors of the test come from one address.
    RATE_LIMIT_RPM: '100000',
    RATE_LIMIT_BURST: '10000',
  })
})
afterAll(async () => {
  await gateway?.stop()
  await database?.close()
  mail?.close()
})

const visitor = () => new PortalVisitor(gateway, publicUrl)

async function owner() {
  const one = visitor()
  const account = wallet()
  const { json } = await one.signInByWallet(account)
  return { one, account, accountId: json.accountId as string }
}

async function linkOf(email: string): Promise<string> {
  return /sign-in\/mail\?token=([\w-]{43})/.exec(await mail.mailTo(email))![1]!
}

describe('without a session', () => {
  it.each(['', '/keys', '/apps', '/calls', '/usage', '/buy', '/receipts', '/settings', '/keys/x'])(
    '/account%s leads to signing in and back',
    async (path) => {
      const { status, headers } = await visitor().get(`/account${path}`)
      expect(status).toBe(303)
      expect(headers.get('location')).toBe(
        `/account/sign-in?next=${encodeURIComponent(`/account${path}`)}`,
      )
    },
  )

  it.each([
    ['GET', '/api/me'],
    ['GET', '/api/overview'],
    ['GET', '/api/keys'],
    ['POST', '/api/keys'],
    ['PATCH', '/api/keys/x'],
    ['DELETE', '/api/keys/x'],
    ['POST', '/api/keys/x/rotate'],
    ['GET', '/api/grants'],
    ['DELETE', '/api/grants/x'],
    ['GET', '/api/calls'],
    ['GET', '/api/calls.csv'],
    ['GET', '/api/usage'],
    ['GET', '/api/receipts'],
    ['GET', '/api/topup'],
    ['POST', '/api/topup/x402'],
    ['POST', '/api/topup/card'],
    ['GET', '/api/settings'],
    ['PATCH', '/api/settings'],
    ['GET', '/api/sessions'],
    ['DELETE', '/api/sessions'],
  ])('%s %s is 401', async (method, path) => {
    const { status, json, headers } = await visitor().api(
      method,
      path,
      method === 'GET' ? undefined : {},
    )
    expect([status, json.error.details.reason]).toEqual([401, 'not_signed_in'])
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  it('is linked from the front page and the start', async () => {
    expect((await gateway.call('GET', '/')).text).toContain('href="/account"')
    expect(gateway.output()).toContain('/account')
    const typed = await gateway.call('GET', '/account/')
    expect([typed.status, typed.headers.get('location')]).toEqual([303, '/account'])
  })
})

describe('ways in', () => {
  it('a wallet: the first time opens an account, later ones lead to it', async () => {
    const { one, account, accountId } = await owner()
    const me = (await one.get('/account/api/me')).json
    expect(me).toMatchObject({
      accountId,
      role: 'owner',
      mode: 'test',
      balanceCredits: 0,
      signIns: [{ subject: `eip155:${account.address.toLowerCase()}` }],
    })
    expect((await visitor().signInByWallet(account)).json.accountId).toBe(accountId)
    expect((await one.get('/account')).status).toBe(200)
  })

  it('a key of the operator without budget: an owner', async () => {
    const key = await gateway.key(100)
    const one = visitor()
    const entered = await one.signInByKey(key.key, '/account/keys')
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/account/keys'])
    expect(entered.headers.getSetCookie()[0]).toMatch(
      /^coinop_account=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/,
    )
    expect((await one.get('/account/api/me')).json).toMatchObject({
      role: 'owner',
      balanceCredits: 100,
    })
    await gateway.admin('POST', `/v1/keys/${key.id}/revoke`, {})
    expect((await one.get('/account/api/me')).status).toBe(401)
  })

  it('a wrong key is told so, and nothing of it is kept or shown', async () => {
    const one = visitor()
    const secret = 'ck_test_0000000000000000000000000000000000000000000000000000'
    const { status, text } = await one.signInByKey(secret)
    expect(status).toBe(401)
    expect(text).toContain('not an API key')
    expect(text + gateway.output()).not.toContain(secret)
    expect([...one.cookies.keys()]).toEqual(['coinop_visitor'])
  })

  it('e-mail: once, in the browser that asked, by a button; a scanner spends nothing', async () => {
    const one = visitor()
    const email = 'buyer@example.com'
    const sent = await one.form('/sign-in/mail', {
      csrf: await one.csrf(),
      next: '/account',
      email,
    })
    expect(sent.text).toContain('Look into your mail')
    const token = await linkOf(email)
    expect((await visitor().get(`/account/sign-in/mail?token=${token}`)).status).toBe(400)
    const page = await one.get(`/account/sign-in/mail?token=${token}`)
    expect(page.headers.get('referrer-policy')).toBe('same-origin')
    const csrf = /name="csrf"\s+value="([^"]+)"/.exec(page.text)![1]!
    const other = visitor()
    const stolen = await other.form('/sign-in/mail/open', { csrf: await other.csrf(), token })
    expect(stolen.status).toBe(401)
    expect((await one.form('/sign-in/mail/open', { csrf, token })).status).toBe(303)
    expect((await one.get('/account/api/me')).json.signIns).toMatchObject([
      { subject: `email:${email}` },
    ])
    const again = visitor()
    expect(
      (await again.form('/sign-in/mail/open', { csrf: await again.csrf(), token })).status,
    ).toBe(401)
    expect(gateway.output()).not.toContain(token)
    expect(gateway.output()).not.toContain(email)
  })

  it('e-mail: the answer is the same after too many mails, and no more are sent', async () => {
    const email = 'flooded@example.com'
    const texts = new Set<string>()
    const one = visitor()
    const csrf = await one.csrf()
    const ask = () => one.form('/sign-in/mail', { csrf, email })
    // At once and one after the other.
    const answers = await Promise.all(Array.from({ length: 12 }, ask))
    for (const { status, text } of [...answers, await ask()]) {
      expect(status).toBe(200)
      texts.add(text)
    }
    expect(texts.size).toBe(1)
    await linkOf(email)
    const count = () => mail.mails.filter((text) => text.includes(`To: ${email}`)).length
    await expect.poll(count).toBe(3)
  })
})

it('a session ends with its way in, which the settings close or the operator takes away', async () => {
  const byMail = async (email: string) => {
    const one = visitor()
    await one.form('/sign-in/mail', { csrf: await one.csrf(), next: '/account', email })
    const page = await one.get(`/account/sign-in/mail?token=${await linkOf(email)}`)
    const [csrf, token] = ['csrf', 'token'].map(
      (name) => new RegExp(`name="${name}"\\s+value="([^"]+)"`).exec(page.text)![1]!,
    ) as [string, string]
    expect((await one.form('/sign-in/mail/open', { csrf, token })).status).toBe(303)
    return one
  }
  const one = await byMail('closed@example.com')
  const withoutMail = await startGateway({
    DATABASE_URL: database.url,
    COINOP_MASTER_KEY: MASTER_KEY,
    SANDBOX: 'true',
    PUBLIC_URL: publicUrl,
    SANDBOX_CHAIN: 'false',
  })
  try {
    const there = new PortalVisitor(withoutMail, publicUrl)
    for (const [name, value] of one.cookies) there.cookies.set(name, value)
    expect((await there.get('/account/api/me')).status).toBe(401)
  } finally {
    await withoutMail.stop()
  }
  expect((await one.get('/account/api/me')).status).toBe(401)

  const email = 'removed@example.com'
  const again = await byMail(email)
  const { accountId } = (await again.get('/account/api/me')).json
  const another = `eip155:${wallet().address.toLowerCase()}`
  await database.db.sql`
    INSERT INTO coinop.account_owner (subject, account_id) VALUES (${another}, ${accountId})`
  const path = `/v1/admin/accounts/${accountId}/owners/remove`
  expect((await gateway.admin('POST', path, { subject: `email:${email}` })).status).toBe(200)
  expect((await again.get('/account/api/me')).status).toBe(401)

  const said = 'You are no longer signed in.'
  expect((await again.get('/account/sign-in')).text).toContain(said)
  expect((await visitor().get('/account/sign-in')).text).not.toContain(said)
  const left = await byMail('left@example.com')
  expect((await left.api('DELETE', '/api/session')).status).toBe(200)
  expect((await left.get('/account/sign-in')).text).not.toContain(said)
})

describe('a key with a budget', () => {
  it('is no owner where the budget is that of one product', async () => {
    const order = { name: 'agent', mode: 'test', productBudgets: { demo: { month: 5 } } }
    const { json: key } = await gateway.admin('POST', '/v1/keys', order)
    const agent = visitor()
    await agent.signInByKey(key.key)
    expect((await agent.get('/account/api/me')).json.role).toBe('limited')
    expect((await agent.api('POST', '/api/keys', { name: 'more' })).status).toBe(403)
    await gateway.admin('PATCH', `/v1/keys/${key.id}`, { productBudgets: { demo: null } })
    expect((await agent.get('/account/api/me')).json.role).toBe('owner')
  })

  it('sees its own calls, and makes, raises and adds nothing', async () => {
    const { one, accountId } = await owner()
    const made = await one.api('POST', '/api/keys', { name: 'agent', day: 5, call: 2 })
    expect(made.status).toBe(201)
    const { id, key } = made.json
    const other = (await one.api('POST', '/api/keys', { name: 'other' })).json
    const limited = visitor()
    expect((await limited.signInByKey(key)).status).toBe(303)
    expect((await limited.get('/account/api/me')).json).toMatchObject({
      accountId,
      role: 'limited',
      keyId: id,
      signIns: [],
    })
    expect((await limited.get('/account/api/keys')).json.keys.map((one: any) => one.id)).toEqual([
      id,
    ])
    expect((await limited.get(`/account/api/keys/${other.id}`)).status).toBe(404)
    for (const [method, path, body] of [
      ['POST', '/api/keys', { name: 'more' }],
      ['PATCH', `/api/keys/${id}`, { day: null }],
      ['POST', `/api/keys/${id}/rotate`, {}],
      ['DELETE', `/api/keys/${other.id}`, undefined],
      ['PATCH', '/api/settings', { keySignIn: true }],
      ['POST', '/api/sign-ins/email', { email: 'a@b.example' }],
      ['POST', '/api/sign-ins/passkey/options', {}],
      ['DELETE', '/api/sign-ins', { subject: 'email:a@b.example' }],
      ['GET', '/api/receipts', undefined],
      ['GET', '/api/settings', undefined],
    ] as const) {
      const answer = await limited.api(method, path, body)
      expect([path, answer.status, answer.json.error.details?.reason]).toEqual([
        path,
        403,
        'not_an_owner',
      ])
    }
    // A key that an owner made without budget is for an agent too, and no owner.
    const second = visitor()
    await second.signInByKey(other.key)
    expect((await second.get('/account/api/me')).json.role).toBe('limited')
    expect((await one.api('DELETE', `/api/keys/${id}`)).status).toBe(200)
    expect((await limited.get('/account/api/me')).status).toBe(401)
    expect((await one.api('PATCH', '/api/settings', { keySignIn: false })).status).toBe(200)
    expect((await second.get('/account/api/me')).status).toBe(401)
    expect((await visitor().signInByKey(other.key)).status).toBe(403)
  })

  it('a key that alone leads to its account is not limited by who signed in with it', async () => {
    const { id, key } = await gateway.key(0)
    const owner = visitor()
    await owner.signInByKey(key)
    const patch = (body: object) => owner.api('PATCH', `/api/keys/${id}`, body)
    for (const limited of [{ day: 100 }, { skills: ['demo.hash'] }, { products: ['demo'] }]) {
      const { status, json } = await patch(limited)
      expect([status, json.error.details.reason]).toEqual([409, 'last_sign_in'])
    }
    expect((await patch({ name: 'mine' })).json).toMatchObject({ name: 'mine', day: null })
    expect((await owner.get('/account/api/me')).json.role).toBe('owner')
  })
})

describe('what the pages tell', () => {
  it('calls, usage, receipts, files and pages to print, of the account alone', async () => {
    const key = await gateway.key(100)
    const call = await gateway.call('POST', '/v1/paid/hash', {
      body: { input: 'x' },
      headers: { 'x-api-key': key.key },
    })
    expect(call.status).toBe(200)
    const one = visitor()
    await one.signInByKey(key.key)
    const { calls } = (await one.get('/account/api/calls')).json
    expect(calls).toMatchObject([
      { skill: 'demo.hash', outcome: 'charged', charged: 2, keyId: key.id },
    ])
    const found = await one.get(`/account/api/calls/${calls[0].id}`)
    expect(found.json.entries.map(({ kind }: any) => kind)).toContain('capture')
    expect((await one.get('/account/api/calls.csv')).text).toContain('demo.hash,')
    const sum = { calls: 1, credits: 2 }
    expect((await one.get('/account/api/usage')).json).toMatchObject({
      byDay: [{ name: calls[0].at.slice(0, 10), ...sum }],
      bySkill: [{ name: 'demo.hash', ...sum }],
      byKey: [{ name: key.id, ...sum }],
      keysAreMore: false,
    })
    expect((await one.get('/account/api/usage.csv')).text).toContain(`,demo.hash,${key.id},1,2,0`)
    const [receipt] = (await one.get('/account/api/receipts')).json.receipts
    expect(receipt).toMatchObject({ credits: 100 })
    const printed = (await one.get(`/account/receipts/${receipt.id}`)).text
    expect(printed).toContain(receipt.id)
    // The key of a test has them by the operator, and nobody bought them.
    expect(printed).toContain('Credits granted')
    expect(printed).toMatch(/<dd>\$1\.00<\/dd>/)
    expect(printed).toMatch(/<dd>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC<\/dd>/)
    const month = receipt.at.slice(0, 7)
    const statement = (await one.get(`/account/receipts/month/${month}`)).text
    expect(statement).toContain('demo.hash')
    expect(statement).toContain('<strong>2 credits</strong> ($0.02)')
    expect((await one.get(`/account/api/receipts.csv?month=${month}`)).text).toContain(receipt.id)
    expect((await one.get('/account/api/overview')).json).toMatchObject({
      balanceCredits: 98,
      spentToday: 2,
      callsLastHour: 1,
    })
    // Another account knows none of these ids.
    const { one: foreign } = await owner()
    for (const [method, path, body] of [
      ['GET', `/api/calls/${calls[0].id}`, undefined],
      ['GET', `/api/keys/${key.id}`, undefined],
      ['PATCH', `/api/keys/${key.id}`, { name: 'mine' }],
      ['POST', `/api/keys/${key.id}/rotate`, {}],
      ['DELETE', `/api/keys/${key.id}`, undefined],
      ['GET', `/api/grants/${key.id}`, undefined],
      ['PATCH', `/api/grants/${key.id}`, { day: 1 }],
      ['DELETE', `/api/grants/${key.id}`, undefined],
      ['GET', `/api/receipts/${receipt.id}`, undefined],
      ['GET', `/receipts/${receipt.id}`, undefined],
      ['DELETE', '/api/sign-ins', { subject: 'email:buyer@example.com' }],
    ] as const) {
      expect([path, (await foreign.api(method, path, body)).status]).toEqual([path, 404])
    }
    const { sessions } = (await one.get('/account/api/sessions')).json
    expect(sessions).toMatchObject([{ way: 'key', isCurrent: true }])
    expect((await foreign.api('DELETE', `/api/sessions/${sessions[0].id}`)).status).toBe(404)
    expect((await foreign.get(`/account/api/calls?key=${key.id}`)).json.calls).toEqual([])
  })

  it('a low balance by e-mail, once for each crossing, to a mailbox of the account alone', async () => {
    const email = 'low@example.com'
    const one = visitor()
    await one.form('/sign-in/mail', { csrf: await one.csrf(), next: '/account', email })
    const page = await one.get(`/account/sign-in/mail?token=${await linkOf(email)}`)
    const csrf = /name="csrf"\s+value="([^"]+)"/.exec(page.text)![1]!
    const token = /name="token"\s+value="([^"]+)"/.exec(page.text)![1]!
    expect((await one.form('/sign-in/mail/open', { csrf, token })).status).toBe(303)
    const made = await one.api('POST', '/api/keys', { name: 'agent' })
    await gateway.fund(made.json.id, 3)
    const save = (noticeEmail: string) =>
      one.api('PATCH', '/api/settings', { lowMarkCredits: 2, noticeEmail })
    expect((await save('stranger@example.com')).status).toBe(400)
    expect((await save(email)).status).toBe(200)
    const headers = { 'x-api-key': made.json.key as string }
    const call = () => gateway.call('POST', '/v1/paid/hash', { body: { input: 'x' }, headers })
    expect((await call()).headers.get('x-balance-credits')).toBe('1')
    await save(email)
    const notices = () =>
      mail.mails.filter((text) => text.includes(`To: ${email}`) && text.includes('below 2 credits'))
    await expect.poll(() => notices().length, PATIENT).toBe(1)
    await save(email)
    await gateway.fund(made.json.id, 2)
    await call()
    await save(email)
    await expect.poll(() => notices().length, PATIENT).toBe(2)
    expect(notices()[0]).toMatch(/From: .*accounts@example\.com/)
    expect(notices()[0]).toContain('is 1 credit,')
    expect(notices()[0]).toContain(`${publicUrl}/account/buy`)
    expect(notices()[0]).toContain(`${publicUrl}/account/settings`)
    expect(mail.mails.join()).not.toContain('stranger@example.com')
    const [end] = /https?:\/\/[^\s>]+\/account\/notices\/end\?token=[\w.%-]+/.exec(notices()[0]!)!
    const nobody = visitor()
    const ends = new URL(end).pathname + new URL(end).search
    expect((await nobody.get(ends)).text).toContain('End these mails')
    expect((await one.get('/account/api/settings')).json.noticeEmail).toBe(email)
    const broken = await fetch(`${gateway.url}${ends.slice(0, -4)}`, { method: 'POST' })
    expect(broken.status).toBe(400)
    const clicked = await fetch(gateway.url + ends, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    })
    expect([clicked.status, clicked.redirected]).toEqual([200, false])
    expect((await one.get('/account/api/settings')).json.noticeEmail).toBeNull()
  })

  it('a low balance once for each crossing, by a signed webhook', async () => {
    const { Webhook } = await import('standardwebhooks')
    const received: { body: string; headers: Headers }[] = []
    const sink = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        received.push({ body: await request.text(), headers: request.headers })
        return new Response()
      },
    })
    const key = await gateway.key(3)
    const one = visitor()
    await one.signInByKey(key.key)
    const saved = await one.api('PATCH', '/api/settings', {
      lowMarkCredits: 2,
      webhookUrl: `http://127.0.0.1:${sink.port}/hook`,
    })
    expect(saved.status, saved.text).toBe(200)
    expect(saved.json.webhookSecret).toMatch(/^whsec_/)
    expect((await one.get('/account/api/settings')).json.webhookSecret).toBeUndefined()
    const call = () =>
      gateway.call('POST', '/v1/paid/hash', {
        body: { input: 'x' },
        headers: { 'x-api-key': key.key },
      })
    await call()
    expect((await one.get('/account/api/overview')).json.isLow).toBe(true)
    // Saving the settings looks at once, without waiting for the round of the minute.
    const look = () => one.api('PATCH', '/api/settings', { lowMarkCredits: 2 })
    await look()
    await expect.poll(() => received.length, PATIENT).toBe(1)
    await look()
    await gateway.fund(key.id, 2)
    await call()
    await look()
    await expect.poll(() => received.length, PATIENT).toBe(2)
    const ids = received.map(({ headers }) => headers.get('webhook-id'))
    expect(new Set(ids).size).toBe(2)
    const verified = new Webhook(saved.json.webhookSecret).verify(received[0]!.body, {
      'webhook-id': received[0]!.headers.get('webhook-id')!,
      'webhook-timestamp': received[0]!.headers.get('webhook-timestamp')!,
      'webhook-signature': received[0]!.headers.get('webhook-signature')!,
    })
    expect(verified).toMatchObject({
      type: 'account.low_balance',
      data: { balance: { credits: 1 }, lowMarkCredits: 2 },
    })
    await sink.stop(true)
  })

  it('is signed by the secrets before a new one too, for a time, and not sent again after 410', async () => {
    const { Webhook } = await import('standardwebhooks')
    const received: { body: string; headers: Headers }[] = []
    const sink = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        received.push({ body: await request.text(), headers: request.headers })
        return new Response(null, { status: 410 })
      },
    })
    const key = await gateway.key(3)
    const one = visitor()
    await one.signInByKey(key.key)
    const rotate = (graceSeconds?: number) =>
      one.api('POST', '/api/settings/webhook/rotate', { graceSeconds })
    expect((await rotate()).status).toBe(404)
    const webhookUrl = `http://127.0.0.1:${sink.port}/hook`
    const secrets = [(await one.api('PATCH', '/api/settings', { webhookUrl })).json.webhookSecret]
    const third = await rotate(0)
    secrets.push(third.json.webhookSecret)
    for (const graceSeconds of [3600, undefined]) {
      const made = await rotate(graceSeconds)
      expect(made.status, made.text).toBe(200)
      secrets.push(made.json.webhookSecret)
    }
    expect(new Set(secrets).size).toBe(4)
    expect((await rotate(8 * 86_400)).status).toBe(400)
    await one.api('PATCH', '/api/settings', { lowMarkCredits: 2 })
    await gateway.call('POST', '/v1/paid/hash', {
      body: { input: 'x' },
      headers: { 'x-api-key': key.key },
    })
    // The same address, as the form of the page sends it, leaves the secrets as they are.
    const saved = await one.api('PATCH', '/api/settings', { lowMarkCredits: 2, webhookUrl })
    expect(saved.json.webhookSecret).toBeUndefined()
    await expect.poll(() => received.length, PATIENT).toBe(1)
    const headers = Object.fromEntries(received[0]!.headers)
    expect(headers['webhook-signature']!.split(' ')).toHaveLength(3)
    const isSignedBy = (secret: string) => {
      try {
        return Boolean(new Webhook(secret).verify(received[0]!.body, headers))
      } catch {
        return false
      }
    }
    expect(secrets.map(isSignedBy)).toEqual([false, true, true, true])
    const rows = () =>
      database.db.sql`
        SELECT last_error AS error, done_at IS NOT NULL AS "isOver" FROM plugin_portal.notice
        WHERE way = 'webhook' AND last_error IS NOT NULL`
    await expect
      .poll(async () => [...(await rows())])
      .toEqual([{ error: 'http_410', isOver: true }])
    await sink.stop(true)
  })
})

describe('attacks', () => {
  it('forms and scripts of other pages change nothing', async () => {
    const { one } = await owner()
    const evil = { origin: 'https://evil.example' }
    const foreign: Record<string, string>[] = [
      evil,
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'x-coinop-account': '0' },
      { origin: `${publicUrl}.evil.example` },
    ]
    for (const headers of foreign) {
      const answer = await one.api('POST', '/api/keys', { name: 'x' }, headers)
      expect([answer.status, answer.json.error.details.reason]).toEqual([403, 'foreign_page'])
    }
    expect((await one.form('/sign-out', { csrf: 'wrong' })).status).toBe(403)
    const other = await owner()
    const foreignCsrf = await visitor().csrf()
    expect((await other.one.form('/sign-out', { csrf: foreignCsrf })).status).toBe(403)
    expect((await one.get('/account/api/me')).status).toBe(200)
    // Signing in from a foreign page, with the csrf of another browser or none.
    const key = await gateway.key(0)
    const victim = visitor()
    const csrf = await victim.csrf()
    const signIn = { csrf, next: '/account', api_key: key.key }
    expect((await victim.form('/sign-in/key', signIn, evil)).status).toBe(403)
    expect((await victim.form('/sign-in/key', { ...signIn, csrf: foreignCsrf })).status).toBe(403)
    expect((await victim.form('/sign-in/key', { ...signIn, csrf: '' })).status).toBe(403)
    expect(victim.cookies.has('coinop_account')).toBe(false)
  })

  it('a planted session is worth nothing, and signing in makes another secret', async () => {
    const key = await gateway.key(0)
    const one = visitor()
    one.cookies.set('coinop_account', 'A'.repeat(43))
    await one.signInByKey(key.key)
    const first = one.cookies.get('coinop_account')
    expect(first).not.toBe('A'.repeat(43))
    const account = wallet()
    const added = await one.api('POST', '/api/sign-ins/wallet', await one.signed(account))
    expect(added.status, added.text).toBe(200)
    expect(one.cookies.get('coinop_account')).not.toBe(first)
    const stale = visitor()
    stale.cookies.set('coinop_account', first!)
    expect((await stale.get('/account/api/me')).status).toBe(401)
    // The wallet leads to the same account now, and to no second one.
    const again = await visitor().signInByWallet(account)
    expect(again.json.accountId).toBe((await one.get('/account/api/me')).json.accountId)
    const { one: other } = await owner()
    const taken = await other.api('POST', '/api/sign-ins/wallet', await other.signed(account))
    expect([taken.status, taken.json.error.details.reason]).toEqual([409, 'sign_in_taken'])
  })

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/account//evil.example',
    '/%0d%0aset-cookie:x',
    'account',
    '',
  ])('next %j leads nowhere else', async (next) => {
    const key = await gateway.key(0)
    const { headers } = await visitor().signInByKey(key.key, next)
    const location = new URL(headers.get('location')!, publicUrl)
    expect(location.origin).toBe(publicUrl)
    expect(headers.get('set-cookie')).not.toContain('set-cookie:x')
  })

  it('wallet: every field counts, a nonce is good once and for one browser', async () => {
    const account = wallet()
    const refused = async (
      change: (message: string) => string,
      by = visitor(),
      signer = account,
    ): Promise<string> => {
      const { message } = await by.signed(account)
      const changed = change(message)
      const signature = await signer.signMessage({ message: changed })
      const { status, json } = await by.api('POST', '/sign-in/wallet', {
        message: changed,
        signature,
      })
      expect(status).toBe(401)
      return json.error.message
    }
    const host = new URL(publicUrl).host
    expect(await refused((m) => m.replace(host, 'evil.example'))).toContain('domain')
    expect(await refused((m) => m.replace(host, 'localhost:1'))).toContain('domain')
    expect(await refused((m) => m.replace('/account\n', '/v1/paid/hash\n'))).toContain('URI')
    expect(await refused((m) => m.replace('Version: 1', 'Version: 2'))).toMatch(/EIP-4361|Version/)
    expect(await refused((m) => m.replace(/Nonce: .*/, `Nonce: ${'a'.repeat(32)}`))).toContain(
      'nonce',
    )
    expect(
      await refused((m) => m.replace(/Issued At: .*/, 'Issued At: 2020-01-01T00:00:00.000Z')),
    ).toContain('Issued At')
    expect(
      await refused((m) =>
        m.replace(/Expiration Time: .*/, 'Expiration Time: 2020-01-01T00:00:00.000Z'),
      ),
    ).toContain('expired')
    expect(
      await refused((m) => m.replace('Sign in', 'x\n\nURI: https://evil.example\nSign in')),
    ).toContain('EIP-4361')
    expect(await refused((m) => m, visitor(), wallet())).toMatch(
      /not (that|the signature) of the address/,
    )
    // Twice, and from another browser.
    const one = visitor()
    const proof = await one.signed(account)
    expect((await visitor().api('POST', '/sign-in/wallet', proof)).status).toBe(401)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => one.api('POST', '/sign-in/wallet', proof)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(7)
  })

  it('a way in that is taken away, and an old credential, keep no session', async () => {
    const { one, account } = await owner()
    const thief = visitor()
    await thief.signInByWallet(account)
    const second = wallet()
    expect((await one.api('POST', '/api/sign-ins/wallet', await one.signed(second))).status).toBe(
      200,
    )
    const subject = `eip155:${account.address.toLowerCase()}`
    expect((await one.api('DELETE', '/api/sign-ins', { subject })).status).toBe(200)
    expect((await thief.get('/account/api/me')).status).toBe(401)
    expect((await one.get('/account/api/me')).json.signIns).toMatchObject([
      { subject: `eip155:${second.address.toLowerCase()}` },
    ])
    const key = await gateway.key(0)
    const [holder, other] = [visitor(), visitor()]
    await holder.signInByKey(key.key)
    await other.signInByKey(key.key)
    expect((await holder.api('POST', `/api/keys/${key.id}/rotate`, {})).status).toBe(200)
    expect((await other.get('/account/api/me')).status).toBe(401)
    expect((await holder.get('/account/api/me')).status).toBe(200)
  })

  it('a way in that is taken away keeps none of the sessions that begin at that moment', async () => {
    for (let round = 0; round < 6; round++) {
      const { one, account, accountId } = await owner()
      await one.api('POST', '/api/sign-ins/wallet', await one.signed(wallet()))
      const thieves = Array.from({ length: 16 }, visitor)
      const proofs = await Promise.all(thieves.map((thief) => thief.signed(account)))
      const subject = `eip155:${account.address.toLowerCase()}`
      const entering = thieves.map((thief, i) => thief.api('POST', '/sign-in/wallet', proofs[i]))
      const removed = await one.api('DELETE', '/api/sign-ins', { subject })
      expect(removed.status, removed.text).toBe(200)
      await Promise.all(entering)
      const seen = await Promise.all(thieves.map((thief) => thief.get('/account/api/me')))
      // Whoever came after it has an account of its own.
      expect(seen.filter(({ json }) => json.accountId === accountId)).toEqual([])
    }
  })

  it.each(['from=%2B275760-01-01T00:00:00Z', 'until=-200000-01-01T00:00:00Z', 'from=1999-12-31'])(
    'calls of a time that no clock shows: %s',
    async (query) => {
      const { one } = await owner()
      expect((await one.get(`/account/api/calls?${query}`)).status).toBe(400)
      expect((await one.get(`/account/api/calls.csv?${query}`)).status).toBe(400)
    },
  )

  it('requests that write are counted', async () => {
    const { one } = await owner()
    const { headers } = await one.api('POST', '/api/keys', { name: 'x' })
    expect(headers.get('ratelimit') ?? headers.get('x-ratelimit-limit')).not.toBeNull()
  })

  it('markup stays text, and no page can be framed', async () => {
    const { text, headers } = await visitor().get(
      `/account/sign-in?next=${encodeURIComponent('/account/"><script>alert(1)</script>')}`,
    )
    expect(text).not.toContain('<script>alert')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*/)
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cross-origin-opener-policy')).toBeNull()
  })

  it('the log holds no secret', () => {
    expect(gateway.output()).not.toMatch(/token=|whsec_|coinop_account=|"api_key"|Nonce: /)
  })
})
