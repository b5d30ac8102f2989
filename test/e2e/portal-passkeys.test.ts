/** What attackers try with passkeys at the account pages, over HTTP, with an authenticator of their own. */
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { GatewayProcess } from '../support/gateway.ts'
import { SoftPasskey, type Ceremony } from '../support/passkey.ts'
import { PortalVisitor, startAtLocalhost, type PortalAnswer } from '../support/portal.ts'

let gateway: GatewayProcess
let url: string

beforeAll(async () => {
  ;({ gateway, url } = await startAtLocalhost({
    RATE_LIMIT_RPM: '100000',
    RATE_LIMIT_BURST: '10000',
  }))
})
afterAll(() => gateway.stop())

const visitor = (): PortalVisitor => new PortalVisitor(gateway, url)

async function challengeOf(one: PortalVisitor, path: string): Promise<string> {
  return (await one.api('POST', `${path}/options`, {})).json.challenge
}

/** The answer of a passkey to a challenge for signing in, in a browser of its own. */
async function answered(
  passkey: SoftPasskey,
  counter: number,
  bent: Partial<Ceremony> = {},
): Promise<{ send: () => Promise<PortalAnswer>; one: PortalVisitor }> {
  const one = visitor()
  const challenge = await challengeOf(one, '/sign-in/passkey')
  const answer = passkey.signed({ challenge, origin: url, counter, ...bent })
  return { one, send: () => one.api('POST', '/sign-in/passkey', { answer }) }
}

async function signIn(...order: Parameters<typeof answered>): Promise<number> {
  const { send } = await answered(...order)
  return (await send()).status
}

async function adding(one: PortalVisitor, passkey: SoftPasskey): Promise<PortalAnswer> {
  const challenge = await challengeOf(one, '/api/sign-ins/passkey')
  const answer = passkey.created({ challenge, origin: url, counter: 1 })
  return one.api('POST', '/api/sign-ins/passkey', { answer, name: 'Laptop' })
}

/** Somebody with a passkey, whose counter is at 1, beside the wallet. */
async function owner(): Promise<{ one: PortalVisitor; passkey: SoftPasskey; wallet: string }> {
  const one = visitor()
  const wallet = privateKeyToAccount(generatePrivateKey())
  await one.signInByWallet(wallet)
  const passkey = new SoftPasskey()
  expect((await adding(one, passkey)).status).toBe(200)
  return { one, passkey, wallet: `eip155:${wallet.address.toLowerCase()}` }
}

it('a copy that lags behind does not sign in, and of two with one counter one does', async () => {
  const { passkey } = await owner()
  expect(await signIn(passkey, 5)).toBe(200)
  expect(await signIn(passkey, 5)).toBe(401)
  expect(await signIn(passkey, 4)).toBe(401)
  expect(await signIn(passkey, 0)).toBe(401)
  const both = await Promise.all(Array.from({ length: 6 }, () => answered(passkey, 6)))
  const statuses = await Promise.all(both.map(async ({ send }) => (await send()).status))
  expect(statuses.toSorted()).toEqual([200, 401, 401, 401, 401, 401])
  expect(await signIn(passkey, 7)).toBe(200)
})

it('an answer is good once, in its browser, for its challenge, place and person', async () => {
  const { one, passkey } = await owner()
  const { send } = await answered(passkey, 2)
  expect((await send()).status).toBe(200)
  expect((await send()).status).toBe(401)
  const added = await challengeOf(one, '/api/sign-ins/passkey')
  const others = await challengeOf(visitor(), '/sign-in/passkey')
  for (const bent of [
    { challenge: added },
    { challenge: others },
    { origin: url.replace('localhost', 'evil.localhost') },
    { origin: url.replace('http:', 'https:') },
    { origin: 'null' },
    { rpId: 'evil.localhost' },
    { isVerified: false },
  ]) {
    expect(await signIn(passkey, 3, bent), JSON.stringify(bent)).toBe(401)
  }
  expect(await signIn(passkey, 3)).toBe(200)
})

it('the id of another account’s passkey is taken, and leads nobody there', async () => {
  const { passkey } = await owner()
  const { one: thief } = await owner()
  const forged = new SoftPasskey(passkey.id)
  expect((await adding(thief, forged)).json.error.details.reason).toBe('sign_in_taken')
  expect(await signIn(forged, 9)).toBe(401)
  expect(await signIn(passkey, 9)).toBe(200)
})

it('the last way in stays, also of two that are taken away at once', async () => {
  const { one, passkey, wallet } = await owner()
  const remove = (subject: string) => one.api('DELETE', '/api/sign-ins', { subject })
  const both = await Promise.all([remove(`passkey:${passkey.id}`), remove(wallet)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

it('of two browsers that were offered the last place one gets it', async () => {
  const one = visitor()
  const wallet = privateKeyToAccount(generatePrivateKey())
  await one.signInByWallet(wallet)
  for (let n = 0; n < 19; n++) expect((await adding(one, new SoftPasskey())).status).toBe(200)
  const both = await Promise.all(
    [0, 1].map(async () => {
      const browser = visitor()
      await browser.signInByWallet(wallet)
      const challenge = await challengeOf(browser, '/api/sign-ins/passkey')
      const answer = new SoftPasskey().created({ challenge, origin: url, counter: 1 })
      return { browser, body: { answer, name: 'Laptop' } }
    }),
  )
  const answers = await Promise.all(
    both.map(({ browser, body }) => browser.api('POST', '/api/sign-ins/passkey', body)),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect((await one.api('POST', '/api/sign-ins/passkey/options', {})).status).toBe(400)
})

it('one that was taken away signs in no more, and is anybody’s to add again', async () => {
  const { one, passkey } = await owner()
  const { one: thief, send } = await answered(passkey, 2)
  const subject = `passkey:${passkey.id}`
  expect((await one.api('DELETE', '/api/sign-ins', { subject })).status).toBe(200)
  expect((await send()).status).toBe(401)
  expect((await thief.get('/account/api/me')).status).toBe(401)
  const { one: another } = await owner()
  expect((await adding(another, passkey)).status).toBe(200)
  expect(await signIn(passkey, 2)).toBe(200)
})
