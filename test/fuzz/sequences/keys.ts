/** Steps on keys: making, limiting, rotating and revoking them, and what they may see. */
import type { GatewayProcess } from '../../support/gateway.ts'
import {
  atomicOf,
  creditsOf,
  isFor,
  NO_CAPS,
  totalSpent,
  type Account,
  type Caps,
  type Key,
} from './model.ts'
import { endedWith, mayBuy } from './grants.ts'
import type { World } from './world.ts'

export async function makeKey(
  world: World,
  account: Account = world.random.of(world.accounts),
): Promise<void> {
  const day = world.random.of([null, null, 1, 6, 20])
  const body = { name: 'sequence', accountId: account.id, budget: { day } }
  const answer = await world.undisturbed(() => world.admin('POST', '/v1/keys', body))
  if (!world.expect('making a key', answer, !account.isClosed)) return
  const { id, key: secret } = answer.json as { id: string; key: string }
  const caps: Caps = { ...NO_CAPS, day: day === null ? null : atomicOf(day) }
  world.keys.push({
    id,
    secret,
    account,
    isRevoked: false,
    caps,
    productCaps: new Map(),
    products: null,
    spent: { demo: 0, webinfra: 0 },
  })
}

/** A limit of the key, of one of its products, or the products that it may buy. */
export async function budget(world: World): Promise<void> {
  const { random } = world
  const apps = world.grants
    .filter(({ key: own, hasKnownId }) => hasKnownId && !own.isRevoked)
    .map(({ key: own }) => own)
  const key = random.of([...world.keys, ...apps])
  const limit = random.of(['call', 'day', 'month'] as const)
  const credits = random.of([null, null, 0, 1, 4, 30])
  const cap = credits === null ? null : atomicOf(credits)
  const kind = random.of(['key', 'key', 'product', 'product', 'products'] as const)
  const product = random.of(['demo', 'demo', 'webinfra'] as const)
  if (kind === 'key') {
    if (await patch(world, key, { budget: { [limit]: credits } })) key.caps = { ...key.caps, [limit]: cap } // prettier-ignore
  } else if (kind === 'product') {
    const isRemoved = random.chance(0.2)
    const given = isRemoved ? null : { [limit]: credits }
    if (!(await patch(world, key, { productBudgets: { [product]: given } }))) return
    if (isRemoved) key.productCaps.delete(product)
    else key.productCaps.set(product, { ...(key.productCaps.get(product) ?? NO_CAPS), [limit]: cap }) // prettier-ignore
  } else {
    const products = random.of([null, null, null, ['demo'], ['demo', 'webinfra'], ['webinfra', 'plans']]) // prettier-ignore
    if (!(await patch(world, key, { products }))) return
    key.products = products
    await hasProducts(world, key)
  }
  await compareSpent(world, key)
}

async function patch(world: World, key: Key, body: object): Promise<boolean> {
  const answers = await world.sometimesAtOnce(() =>
    world.admin('PATCH', `/v1/keys/${key.id}`, body),
  )
  for (const answer of answers) world.expect('a change of a budget', answer, true)
  return answers.every(({ status }) => status < 300)
}

/** What was spent before a limit was set counts as well: of the key, and of each product with a limit. */
async function compareSpent(world: World, key: Key): Promise<void> {
  const answer = await world.admin('GET', `/v1/keys/${key.id}`)
  if (!world.expect('a key with its budgets', answer, true)) return
  const told = answer.json.productBudgets as Record<string, Record<string, number>>
  const all: Record<string, [Record<string, unknown>, number]> = {
    '*': [answer.json, totalSpent(key)],
  }
  for (const scope of key.productCaps.keys())
    all[scope] = [told[scope] ?? {}, key.spent[scope as keyof Key['spent']]]
  for (const [scope, [{ spentTodayCredits, spentMonthCredits }, spent]] of Object.entries(all)) {
    const seen = [spentTodayCredits, spentMonthCredits].join()
    if (seen !== [creditsOf(spent), creditsOf(spent)].join())
      world.found(`key ${key.id} spent ${seen} on ${scope}, not ${creditsOf(spent)}`)
  }
}

/** Each gateway keeps for a while what a key may buy, and hears when that is something else. */
async function hasProducts(world: World, key: Key): Promise<void> {
  const { account, isRevoked } = key
  const grant = world.grants.find((one) => one.key === key)
  if (grant) return mayBuy(world, grant)
  if (isRevoked || account.isClosed) return
  for (const [skill, product] of SKILLS) {
    await world.isHeard(`what a key may buy of ${product}`, null, async (gateway) => {
      const headers = { 'x-api-key': key.secret }
      const quote = await gateway.call('POST', '/v1/quote', { headers, body: { skill } })
      return (quote.json?.account?.refusedBy === 'products') === !isFor(key, product)
    })
  }
}
const SKILLS = [
  ['demo.hash', 'demo'],
  ['webinfra.webhook_ingress', 'webinfra'],
] as const

export async function rotate(world: World): Promise<void> {
  const key = world.random.of(world.keys)
  await world.undisturbed(async () => {
    const answer = await world.admin('POST', `/v1/keys/${key.id}/rotate`, { graceSeconds: 0 })
    if (!world.expect('a rotation', answer, !key.isRevoked)) return
    const before = key.secret
    key.secret = answer.json.key as string
    await isRefused(world, 'the end of a credential', before, answer.from)
  })
}

export async function revoke(world: World): Promise<void> {
  if (world.keys.length < 3) return
  const key = world.random.of(world.keys)
  const answer = await world.admin('POST', `/v1/keys/${key.id}/revoke`)
  world.expect('revoking a key', answer, true)
  key.isRevoked = true
  await isRefused(world, 'a revoked key', key.secret, answer.from)
  await endedWith(world, key, answer.from)
}

/** A credential that has ended is refused, at once where it was ended. */
async function isRefused(
  world: World,
  what: string,
  secret: string,
  by: GatewayProcess,
): Promise<void> {
  await world.isHeard(what, by, async (gateway) => {
    const headers = { 'x-api-key': secret }
    return (await gateway.call('GET', '/v1/account', { headers })).status === 401
  })
}

/** What a key may see names nothing of another account, and its sums are the model's. */
export async function spy(world: World): Promise<void> {
  const key = world.random.of(world.keys)
  if (key.isRevoked) return
  const paths = ['/v1/usage?limit=200', '/v1/credits/balance', '/v1/plans/subscription']
  const foreign = world.charges.find((charge) => charge.key.account !== key.account)
  if (foreign) paths.push(`/v1/usage?requestId=${foreign.requestId}`)
  const own = await world.as(key, 'GET', '/v1/account')
  if (!world.expect('/v1/account', own, true)) return
  compareBudget(world, key, own.json)
  for (const path of ['/v1/account', ...paths]) {
    const answer = path === '/v1/account' ? own : await world.as(key, 'GET', path)
    world.expect(path, answer, true)
    for (const { id, account } of world.keys) {
      if (account === key.account) continue
      if (answer.text.includes(id) || answer.text.includes(account.id))
        world.found(`${path} of ${key.id} names ${id}`, answer)
    }
    const rows = (answer.json?.rows ?? []) as { requestId?: string }[]
    if (foreign && rows.some(({ requestId }) => requestId === foreign.requestId))
      world.found(`${path} shows a call of another account`, answer)
  }
  world.expect("an operator's list", await world.as(key, 'GET', '/v1/keys'), false)
}

interface AccountView {
  balance: { credits: number; heldCredits: number }
  budget: Record<'call' | 'day' | 'month', number | null> & {
    spent: { day: number; month: number }
  }
  left: Record<'call' | 'day' | 'month', number | null>
}

/** What the holder of a key is told: limits, what was spent of them, and what they leave. */
function compareBudget(world: World, key: Key, { balance, budget: told, left }: AccountView): void {
  const spent = creditsOf(totalSpent(key))
  const cap = (name: keyof Caps) => (key.caps[name] === null ? null : creditsOf(key.caps[name]))
  const rest = (name: 'day' | 'month') => {
    const { [name]: most } = key.caps
    return most === null ? null : creditsOf(Math.max(0, most - totalSpent(key)))
  }
  const expected = {
    balance: [creditsOf(key.account.available), creditsOf(key.account.held)],
    caps: [cap('call'), cap('day'), cap('month')],
    spent: [spent, spent],
    left: [rest('day'), rest('month')],
  }
  const seen = {
    balance: [balance.credits, balance.heldCredits],
    caps: [told.call, told.day, told.month],
    spent: [told.spent.day, told.spent.month],
    left: [left.day, left.month],
  }
  const [wanted, got] = [JSON.stringify(expected), JSON.stringify(seen)]
  if (wanted !== got) world.found(`key ${key.id} is told ${got}, not ${wanted}`)
}
