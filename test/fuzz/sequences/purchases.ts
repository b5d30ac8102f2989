/** Steps that buy: calls alone and at the same moment, retries, wrong inputs, refunds. */
import { newId } from '../../../kernel/ids.ts'
import { affordable, canBuy, ECHO_PRICE, HASH_PRICE, monthOf, type Account } from './model.ts'
import type { World } from './world.ts'

const HASH = '/v1/paid/hash'
export const hashPrice = ({ plan }: Account): number => plan?.hashPrice ?? HASH_PRICE

export async function buy(world: World): Promise<void> {
  const key = world.random.of(world.keys)
  const [idempotencyKey, body] = [newId(), { input: newId() }]
  const price = hashPrice(key.account)
  const headers = { 'idempotency-key': idempotencyKey }
  const answer = await world.as(key, 'POST', HASH, body, headers)
  if (!world.expect('a purchase', answer, affordable(key, 'demo', price) > 0)) return
  world.expectCharge('a purchase', answer, price)
  world.charged(key, price, answer.headers.get('x-request-id')!)
  world.kept.push({ key, product: 'demo', path: HASH, headers, body, answer: answer.text })
  const left = answer.headers.get('x-balance-credits')
  if (left !== String(key.account.available / 10_000))
    world.found(`X-Balance-Credits is ${left}`, answer)
}

/** Purchases of one key at the same moment: as many succeed as can be paid. */
export async function buyAtOnce(world: World): Promise<void> {
  const key = world.random.of(world.keys)
  const count = 2 + world.random.below(6)
  const purchases = (isNamed: boolean) =>
    Promise.all(
      Array.from({ length: count }, () => {
        const headers: Record<string, string> = isNamed ? { 'idempotency-key': newId() } : {}
        return world.as(key, 'POST', HASH, { input: newId() }, headers)
      }),
    )
  // Only what has a name can be repeated.
  const isNamed = count % 2 === 0
  const answers = isNamed ? await purchases(true) : await world.undisturbed(() => purchases(false))
  const price = hashPrice(key.account)
  const good = answers.filter(({ status }) => status < 300)
  for (const answer of answers) world.expect('one of many', answer, answer.status < 300)
  const may = Math.min(count, affordable(key, 'demo', price))
  if (good.length !== may) world.found(`${good.length} of ${count} bought, ${may} could be paid`)
  for (const answer of good) {
    world.expectCharge('one of many', answer, price)
    world.charged(key, price, answer.headers.get('x-request-id')!)
  }
}

/** Calls that a plan may give for free: at the same moment no more are free than it gives. */
export async function echo(world: World): Promise<void> {
  const key = world.random.of(world.keys)
  const { account } = key
  const answers = await world.sometimesAtOnce(() =>
    world.as(key, 'POST', '/v1/paid/echo', { message: newId() }),
  )
  for (const answer of answers) world.expect('an echo', answer, answer.status < 300)
  const given = account.plan?.freeEchoes ?? 0
  const leftFree = canBuy(key, 'demo') ? Math.max(0, given - account.freeEchoes) : 0
  const free = Math.min(answers.length, leftFree)
  const paid = Math.min(answers.length - free, affordable(key, 'demo', ECHO_PRICE))
  const good = answers.filter(({ status }) => status < 300)
  const charges = good.map(({ headers }) => headers.get('x-charged-credits'))
  const [toldFree, toldPaid] = ['0', '1'].map((sum) => charges.filter((one) => one === sum).length)
  if (toldFree !== free || toldPaid !== paid)
    world.found(`of ${answers.length} echoes ${toldFree} were free and ${toldPaid} paid, not ${free} and ${paid}`) // prettier-ignore
  account.freeEchoes += free
  for (const { headers } of good) {
    const amount = headers.get('x-charged-credits') === '0' ? 0 : ECHO_PRICE
    world.charged(key, amount, headers.get('x-request-id')!)
  }
}

/** By the Idempotency-Key of an earlier call: the kept answer, or a refusal; never a charge. */
export async function buyAgain(world: World): Promise<void> {
  if (world.kept.length === 0) return
  const { key, product, path, headers, body, answer: kept, isOpen } = world.random.of(world.kept)
  if (!canBuy(key, product) || isOpen?.() === false) return
  const isSame = world.random.chance(0.6)
  const sent = isSame ? body : { input: newId() }
  const answers = await world.sometimesAtOnce(() => world.as(key, 'POST', path, sent, headers))
  for (const answer of answers) {
    world.expect('a retry', answer, isSame)
    if (!isSame) continue
    if (answer.text !== kept) world.found('a retry got another answer', answer)
    world.expectCharge('a retry', answer, 0)
  }
}

export async function fail(world: World): Promise<void> {
  const key = world.random.of(world.keys)
  const body = world.random.of<object>([{}, { input: 5 }, { input: 'x', algorithm: 'none' }])
  const headers: Record<string, string> = world.random.chance(0.5)
    ? { 'idempotency-key': newId() }
    : {}
  const answer = await world.as(key, 'POST', HASH, body, headers)
  world.expect('a call with a wrong input', answer, false)
}

export async function refund(world: World): Promise<void> {
  if (world.charges.length === 0) return
  const charge = world.random.of(world.charges)
  const { requestId, key, amount } = charge
  const body = { requestId, apiKeyId: key.id, note: 'sequence' }
  const answers = await world.sometimesAtOnce(() => world.admin('POST', '/v1/credits/refund', body))
  for (const answer of answers) world.expect('a refund', answer, true)
  const { account } = key
  if (!charge.isRefunded) {
    account.available += amount
    if (charge.month === monthOf(account)) account.monthSpent -= amount
  }
  charge.isRefunded = true
  for (const hold of world.holds) if (hold.requestId === requestId) hold.state = 'refunded'
  const own = await world.as(key, 'POST', '/v1/credits/refund', body)
  world.expect('a refund that a buyer gives itself', own, false)
}
