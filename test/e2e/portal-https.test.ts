/** The account pages behind a TLS front, as in the open: `__Host-` cookies, no redirect to the inner address. */
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, located, type TestBrowser } from '../support/browser.ts'
import { certificateFor } from '../support/certificate.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { freePort } from '../support/ports.ts'
import { PortalVisitor } from '../support/portal.ts'
import { skipPart } from '../support/skips.ts'
import { PATIENT } from '../support/patience.ts'

const HOST = 'localhost'

let gateway: GatewayProcess
let front: ReturnType<typeof Bun.serve>
let publicUrl: string

beforeAll(async () => {
  const { key, cert } = certificateFor(HOST)
  const port = await freePort()
  front = Bun.serve({
    hostname: '127.0.0.1',
    port,
    tls: { key, cert },
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const headers = new Headers(request.headers)
      headers.set('accept-encoding', 'identity')
      // As proxies do by default: the gateway sees its inner name, and learns its own from PUBLIC_URL.
      headers.delete('host')
      const body = request.body === null ? null : await request.arrayBuffer()
      return fetch(gateway.url + pathname + search, {
        method: request.method,
        headers,
        body,
        redirect: 'manual',
      })
    },
  })
  publicUrl = `https://${HOST}:${port}`
  gateway = await startGateway({ PUBLIC_URL: publicUrl, SANDBOX_CHAIN: 'false' })
})
afterAll(async () => {
  await front?.stop(true)
  await gateway?.stop()
})

describe('over https', () => {
  const visitor = () => new PortalVisitor(gateway, publicUrl)
  const wallet = () => privateKeyToAccount(generatePrivateKey())

  it('cookies are of this host alone, and those of plain http open nothing', async () => {
    const one = visitor()
    const { headers, status } = await one.signInByWallet(wallet())
    expect(status).toBe(200)
    const [session, gone] = headers.getSetCookie()
    expect(session).toMatch(
      /^__Host-coinop_account=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=\d+$/,
    )
    expect(gone).toBe('__Host-coinop_visitor=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0')
    const secret = one.cookies.get('__Host-coinop_account')!
    const cookies = [
      `coinop_account=${secret}`,
      `__Host-coinop_account=${secret}; __Host-coinop_account=${'a'.repeat(43)}`,
      `__host-coinop_account=${secret}`,
      `__Secure-coinop_account=${secret}`,
    ]
    for (const cookie of cookies) {
      const { status } = await visitor().ask('GET', '/account/api/me', { headers: { cookie } })
      expect([cookie, status]).toEqual([cookie, 401])
    }
    expect((await one.get('/account/api/me')).status).toBe(200)
  })

  it('only the origin of PUBLIC_URL may ask, not the same host over http', async () => {
    const one = visitor()
    await one.signInByWallet(wallet())
    for (const origin of [
      publicUrl.replace('https:', 'http:'),
      `https://${HOST}`,
      gateway.url,
      `${publicUrl}/`,
    ]) {
      const { status } = await one.api('POST', '/api/keys', { name: 'x' }, { origin })
      expect([origin, status]).toEqual([origin, 403])
    }
    const signer = wallet()
    const other = visitor()
    const { message } = await other.signed(signer)
    expect(message).toContain(`URI: ${publicUrl}/account\n`)
    const changed = message.replace(
      `${publicUrl}/account`,
      `http://${new URL(publicUrl).host}/account`,
    )
    const signature = await signer.signMessage({ message: changed })
    const refused = await other.api('POST', '/sign-in/wallet', { message: changed, signature })
    expect([refused.status, refused.json.error.message]).toEqual([
      401,
      expect.stringContaining('URI'),
    ])
  })

  describe.skipIf(!located.ok && skipPart('account pages over https', located.message))(
    'in Chromium',
    () => {
      let launched: TestBrowser
      beforeAll(async () => {
        launched = await launchBrowser()
      })
      afterAll(() => launched?.close())

      it('a key signs in, a page changes something, and signing out leaves no session', async () => {
        const key = await gateway.key(10)
        const context = await launched.browser.createBrowserContext()
        const page = await context.newPage()
        const devtools = await page.createCDPSession()
        await devtools.send('Security.setIgnoreCertificateErrors', { ignore: true })
        await page.goto(`${publicUrl}/account/keys`, { waitUntil: 'networkidle0' })
        expect(page.url()).toBe(`${publicUrl}/account/sign-in?next=%2Faccount%2Fkeys`)
        await page.type('#api_key', key.key)
        await Promise.all([page.waitForNavigation(), page.click('form[action$="/key"] button')])
        expect(page.url()).toBe(`${publicUrl}/account/keys`)
        const cookies = await page.cookies()
        expect(cookies).toMatchObject([
          {
            name: '__Host-coinop_account',
            secure: true,
            httpOnly: true,
            sameSite: 'Lax',
            path: '/',
          },
        ])
        await page.waitForSelector('tbody', PATIENT)
        const press = (text: string) =>
          page.waitForFunction(
            (wanted) => {
              const all = [...document.querySelectorAll('button')]
              const button = all.find(({ textContent }) => textContent?.includes(wanted))
              button?.click()
              return button !== undefined
            },
            {},
            text,
          )
        await press('New key')
        await page.type('dialog input[name="name"]', 'over https')
        await page.click('dialog button[type="submit"]')
        await page.waitForSelector('dialog .copyable code', PATIENT)
        await page.goto(`${publicUrl}/account`, { waitUntil: 'networkidle0' })
        await Promise.all([page.waitForNavigation(), press('Sign out')])
        expect(await page.cookies()).not.toContainEqual(
          expect.objectContaining({ name: '__Host-coinop_account' }),
        )
        const cookie = `${cookies[0]!.name}=${cookies[0]!.value}`
        const after = await visitor().ask('GET', '/account/api/me', { headers: { cookie } })
        expect(after.status).toBe(401)
        await context.close()
      })
    },
  )
})
