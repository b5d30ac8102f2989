/** Steps on apps: a person lets one spend, within the key of its session, and what it can buy then. */
import { newId } from '../../../kernel/ids.ts'
import type { GatewayProcess } from '../../support/gateway.ts'
import { Browser, callTool, type Tokens } from '../../support/oauth.ts'
import {
  affordable,
  atomicOf,
  creditsOf,
  isFor,
  leftOfKey,
  NO_CAPS,
  type Caps,
  type Grant,
  type Key,
} from './model.ts'
import { hashPrice } from './purchases.ts'
import type { World } from './world.ts'

const LIMITS = ['call', 'day', 'month'] as const

/** What a person fills in on the page; a limit that is left out is that of the key. */
interface Asked extends Record<keyof Caps, number | null> {
  products: readonly string[]
}

/**
 * The app gets what was filled in, if the key has so much left, and the key has so much less. Of two
 * pages that are answered at the same moment, as many are allowed as the key has limits for.
 */
export async function allowApp(world: World): Promise<void> {
  const { random } = world
  const { app, url } = world.shop
  const parent = random.of(world.keys)
  if (parent.isRevoked || parent.account.isClosed) return
  const asked: Asked = {
    call: random.of([null, null, null, 1, 2]),
    day: random.of([null, 1, 4, 12]),
    month: random.of([null, null, 3, 20]),
    products: random.of([[], [], ['demo'], ['demo', 'webinfra']]),
  }
  // What one that leaves a limit out gets would be decided by which of them was first.
  const isNamed = (['day', 'month'] as const).every((name) => asked[name] !== null || parent.caps[name] === null) // prettier-ignore
  const count = isNamed ? 1 + random.below(2) : 1
  const browser = new Browser(url)
  await browser.signIn(parent.secret)
  const pages = []
  while (pages.length < count) pages.push(await browser.consent(app.authorizeUrl()))
  const answers = await Promise.all(
    pages.map(({ csrf, request }) =>
      browser.post('/account/consent', [
        ['csrf', csrf],
        ['request', request],
        ...LIMITS.flatMap((name) =>
          asked[name] === null ? [] : [[name, String(asked[name])] as const],
        ),
        ...asked.products.map((id) => ['products', id] as const),
        ['decision', 'allow'],
      ]),
    ),
  )
  // Those that are refused come last, where the model refuses as well.
  const codes = answers.map(({ headers }) =>
    new URL(headers.get('location') ?? '/', url).searchParams.get('code'),
  )
  for (const code of codes.toSorted((a, b) => Number(a === null) - Number(b === null)))
    await isAllowed(world, { parent, asked, code, browser, hasKnownId: count === 1 })
}

interface Allowed {
  parent: Key
  asked: Asked
  /** Null: refused. */
  code: string | null
  browser: Browser
  hasKnownId: boolean
}

async function isAllowed(
  world: World,
  { parent, asked, code, browser, hasKnownId }: Allowed,
): Promise<void> {
  const { app } = world.shop
  const given = givenOf(parent, asked)
  if ((code !== null) !== (given !== null))
    return world.found(`an app was ${code === null ? 'not ' : ''}allowed ${JSON.stringify(asked)}`)
  if (code === null || given === null) return
  const redeemed = await app.redeem(code)
  if (redeemed.status !== 200) return world.found(`no tokens: ${await redeemed.text()}`)
  const tokens = (await redeemed.json()) as Tokens
  const listed = (await (await browser.open('/account/api/grants')).json()) as {
    grants: { id: string }[]
  }
  const known = new Set(world.grants.map(({ key }) => key.id))
  const id = listed.grants.find((grant) => !known.has(grant.id))?.id ?? 'none is listed'
  const less = (own: number | null, part: number | null) => (own === null ? null : own - part!)
  const { caps } = parent
  parent.caps = { ...caps, day: less(caps.day, given.caps.day), month: less(caps.month, given.caps.month) } // prettier-ignore
  const key: Key = {
    id,
    secret: '',
    account: parent.account,
    isRevoked: false,
    caps: given.caps,
    productCaps: new Map(),
    products: given.products,
    spent: { demo: 0, webinfra: 0 },
  }
  world.grants.push({ key, parent, accessToken: tokens.access_token, refreshToken: tokens.refresh_token, hasKnownId }) // prettier-ignore
  world.done()
}

/** What the key can give an app that is asked for; null: it has not so much. */
function givenOf(
  parent: Key,
  asked: Asked,
): { caps: Caps; products: readonly string[] | null } | null {
  const left = leftOfKey(parent)
  const caps: Caps = { ...NO_CAPS }
  for (const name of LIMITS) {
    const most = left[name]
    const wanted = asked[name] === null ? null : atomicOf(asked[name])
    if (wanted !== null && most !== null && wanted > most) return null
    caps[name] = wanted ?? (most === null ? null : Math.max(0, most))
    if (most !== null && caps[name]! > most) return null
  }
  if (caps.day === null && caps.month === null) return null
  const own = parent.products
  const ticked = asked.products.filter((id) => own === null || own.includes(id))
  const products = asked.products.length === 0 ? own : ticked
  if (products?.length === 0) return null
  const isLimited = [...parent.productCaps.keys()].some((id) => products?.includes(id) ?? true)
  return isLimited ? null : { caps, products }
}

/** The app calls tools at the same moment: as many are answered as its budget and the balance pay. */
export async function appBuys(world: World): Promise<void> {
  if (world.grants.length === 0) return allowApp(world)
  const grant = world.random.of(world.grants)
  const { key } = grant
  const price = hashPrice(key.account)
  const count = 1 + world.random.below(4)
  const may = Math.min(count, affordable(key, 'demo', price))
  const answers = await Promise.all(Array.from({ length: count }, () => toolOf(world, grant)))
  const good = answers.filter(({ status, isError }) => status === 200 && !isError)
  if (good.length !== may) world.found(`an app bought ${good.length} of ${count}, ${may} could be paid`) // prettier-ignore
  for (const { status, text } of answers)
    if (status !== (isOver(grant) ? 401 : 200)) world.found(`an app's call is ${status}: ${text}`)
  for (const { text } of good) {
    if (!text.includes(`"chargedCredits":${creditsOf(price)}`))
      world.found(`an app's call did not cost ${creditsOf(price)}: ${text}`)
    world.spent(key, 'demo', price)
  }
  if (good.length > 0) world.done()
}

/** New tokens in the place of the old ones, and the same budget. */
export async function appRefreshes(world: World): Promise<void> {
  if (world.grants.length === 0) return allowApp(world)
  const grant = world.random.of(world.grants)
  const { refreshToken } = grant
  const answers = await Promise.all(
    Array.from({ length: 1 + world.random.below(3) }, () => world.shop.app.refresh(refreshToken)),
  )
  const pairs: Tokens[] = []
  for (const answer of answers) {
    if (answer.ok === isOver(grant))
      return world.found(`the tokens of an app: ${answer.status} ${await answer.text()}`)
    if (answer.ok) pairs.push((await answer.json()) as Tokens)
  }
  if (isOver(grant)) return
  if (new Set(pairs.map(({ refresh_token }) => refresh_token)).size !== 1)
    world.found('one refresh token has several successors')
  grant.accessToken = pairs[0]!.access_token
  grant.refreshToken = pairs[0]!.refresh_token
  world.done()
}

export async function appEnds(world: World): Promise<void> {
  const grant = world.grants.find(({ key }) => !key.isRevoked)
  if (!grant) return allowApp(world)
  await world.shop.app.revoke(grant.refreshToken)
  grant.key.isRevoked = true
  await isEnded(world, grant, null)
  world.done()
}

/** What apps were allowed with a key ends with it. */
export async function endedWith(world: World, parent: Key, by: GatewayProcess): Promise<void> {
  for (const grant of world.grants) {
    if (grant.parent !== parent || grant.key.isRevoked) continue
    grant.key.isRevoked = true
    await isEnded(world, grant, by)
  }
}

/** Its tokens are refused, at once where it was ended. */
export async function isEnded(
  world: World,
  { accessToken }: Grant,
  by: GatewayProcess | null,
): Promise<void> {
  await world.isHeard('an app that was ended', by, async ({ url }) => {
    const { status } = await callTool(url, accessToken, 'demo.hash', { input: newId() })
    return status === 401
  })
}

/** Each gateway knows whether the app may buy what apps buy here: a call that cannot succeed tells. */
export async function mayBuy(world: World, grant: Grant): Promise<void> {
  if (isOver(grant)) return
  await world.isHeard('what an app may buy', null, async ({ url }) => {
    const { text } = await callTool(url, grant.accessToken, 'demo.hash', {})
    return text.includes('product_not_allowed') === !isFor(grant.key, 'demo')
  })
}

const isOver = ({ key }: Grant): boolean => key.isRevoked || key.account.isClosed

function toolOf({ shop }: World, { accessToken }: Grant) {
  return callTool(shop.url, accessToken, 'demo.hash', { input: crypto.randomUUID() })
}
