/** Steps that pay each call in USDC, by x402 and MPP: what is answered moves once, what is refused never. */
import { newId } from '../../../kernel/ids.ts'
import { asX402, challengesOf, credentialFor, credentialOf, partsOf } from '../../support/mpp.ts'
import { buyerOn, rpc } from '../../support/x402/chain.ts'
import {
  decode,
  encode,
  requirementsIn,
  signPayment,
  type Bend,
} from '../../support/x402/payments.ts'
import { allows, HASH_PRICE, isFor, PLANS, type Payer } from './model.ts'
import { hasPrices } from './turns.ts'
import { isLater, untilClear } from './until-clear.ts'
import type { Heard, World } from './world.ts'

const HASH = '/v1/paid/hash'
const USDC = [30_000, 70_000, 200_000]
const NOBODY = '0x000000000000000000000000000000000000dEaD'
/** The prices of calls and plans are in dollars: a millionth of one is a unit of USDC. */
const PRICE = HASH_PRICE

type Rail = 'x402' | 'mpp' | 'both'
type Headers = Record<string, string>

/** What is wrong with a payment by x402. Each is refused. */
const BENDS: Readonly<Record<string, Bend>> = {
  tampered: { sent: { nonce: `0x${'11'.repeat(32)}` } },
  expired: { authorization: { validBefore: 1n } },
  underpaid: { authorization: { value: 1n }, accepted: { amount: '1' } },
  overpaid: { authorization: { value: 50_000n }, accepted: { amount: '50000' } },
  're-targeted': { authorization: { to: NOBODY } },
  'of another token': { domain: { name: 'USDC' } },
}

export async function newPayer(world: World): Promise<void> {
  const usdc = world.random.of(USDC)
  world.payers.push({ wallet: await buyerOn(world.chain, BigInt(usdc)), usdc })
}

/** One payment, also several times at the same moment and in both dialects, buys one answer. */
export async function pay(world: World): Promise<void> {
  const { random } = world
  const payer = await payerOf(world)
  const rail = random.of(['x402', 'x402', 'mpp', 'mpp', 'both'] as const)
  const bend = random.chance(0.3) ? random.of(Object.keys(BENDS)) : null
  const body = { input: newId() }
  const signed = await sign(world, payer, { rail, bend, path: HASH, body })
  const isGood = bend === null && payer.usdc >= PRICE
  const what = `a payment ${bend ?? 'in order'} by ${rail}`
  const bought = await buys(world, { what, path: HASH, body, signed, isGood })
  if (!bought) return
  world.usdcPaid(payer, PRICE)
  world.paid.push({ path: HASH, headers: signed[0]!, body, answer: bought.text })
  const requestId = bought.headers.get('x-request-id')
  const rows = await world.admin('GET', `/v1/ledger?requestId=${requestId}`)
  const told = (rows.json?.rows ?? []) as { kind: string; amountUsdcAtomic: number }[]
  const entries = told.map(({ kind, amountUsdcAtomic }) => `${kind} ${amountUsdcAtomic}`)
  if (entries.join() !== `settlement ${PRICE}`)
    world.found(`${what} is in the ledger as ${entries.join()}`, rows)
}

/** Another request with a payment that bought an answer is refused; the same one gets that answer again. */
export async function payAgain(world: World): Promise<void> {
  if (world.paid.length === 0) return
  const { path, headers, body, answer: kept } = world.random.of(world.paid)
  const how = world.random.of(['same', 'same', 'body', 'path'] as const)
  const sent = how === 'body' ? { input: newId() } : body
  const answers = await world.sometimesAtOnce(() =>
    how === 'path'
      ? world.call('POST', '/v1/paid/echo', { headers, body: { message: 'x' } })
      : world.call('POST', path, { headers, body: sent }),
  )
  for (const answer of answers) {
    const isSame = how === 'same'
    world.expect(`a payment that was used, with the ${how}`, answer, isSame)
    if (isSame && answer.text !== kept) world.found('a payment got a second answer', answer)
  }
}

/** Payments of one wallet at the same moment: as many are answered as it has USDC for. */
export async function payAtOnce(world: World): Promise<void> {
  const payer = await payerOf(world)
  const count = 2 + world.random.below(2)
  const orders = await Promise.all(
    Array.from({ length: count }, async () => {
      const body = { input: newId() }
      const rail = world.random.of(['x402', 'mpp'] as const)
      return { body, signed: await sign(world, payer, { rail, bend: null, path: HASH, body }) }
    }),
  )
  const answers = await Promise.all(
    orders.map(({ body, signed: [headers] }) =>
      settled(world, () => world.call('POST', HASH, { body, headers: headers! })),
    ),
  )
  const good = answers.filter(({ status }) => status < 300)
  for (const answer of answers) world.expect('one of many payments', answer, answer.status < 300)
  const may = Math.min(count, Math.floor(payer.usdc / PRICE))
  if (good.length !== may)
    world.found(`${good.length} of ${count} payments were answered, ${may} could be paid`)
  for (const _ of good) world.usdcPaid(payer, PRICE)
}

/** A call with a wrong input is not paid; the same payment then buys the right one. */
export async function payForNothing(world: World): Promise<void> {
  const payer = await payerOf(world)
  const rail = world.random.of(['x402', 'mpp'] as const)
  const wrong = world.random.of<object>([{}, { input: 5 }, { input: 'x', algorithm: 'none' }])
  const signed = await sign(world, payer, { rail, bend: null, path: HASH, body: wrong })
  const what = `a payment by ${rail} after a wrong input`
  const refused = await world.call('POST', HASH, { body: wrong, headers: signed[0]! })
  world.expect('a payment for a wrong input', refused, false)
  await world.checkBalances()
  const body = { input: newId() }
  const isGood = payer.usdc >= PRICE
  if (await buys(world, { what, path: HASH, body, signed, isGood })) world.usdcPaid(payer, PRICE)
}

/** Credits for an account, or a month of a plan, by one payment. */
export async function payForAccount(world: World): Promise<void> {
  const { random } = world
  const payer = await payerOf(world)
  const key = random.of(world.keys)
  const { account } = key
  if (key.isRevoked || account.isClosed) return
  const mayHavePlan = account.subscription === null && isFor(key, 'plans')
  const plan = mayHavePlan && random.chance(0.5) ? random.of(PLANS) : null
  const price = plan ? plan.price : random.of([50_000, 120_000])
  if (price === null) return
  const path = plan ? '/v1/plans/x402' : '/v1/credits/topup/x402'
  const order = plan ? { plan: plan.id } : { amountUsd: price / 1_000_000 }
  const body = { ...order, apiKeyId: key.id }
  const shown: Headers = plan ? { 'x-api-key': key.secret } : {}
  const signed = await sign(world, payer, { rail: 'x402', bend: null, path, body, shown })
  const isGood = payer.usdc >= price
  const bought = await buys(world, {
    what: plan ? 'a plan' : 'credits',
    path,
    body,
    signed,
    isGood,
  })
  if (!bought) return
  world.usdcPaid(payer, price)
  if (!plan) return void (account.available += price)
  const id = String(bought.json?.subscriptionId)
  // It is renewed where the key that was shown may pay the months to come.
  const isCancelled = !allows(key, 'plans', price)
  account.subscription = {
    id,
    plan,
    isGiven: false,
    turn: 1,
    carried: 0,
    state: 'active',
    isCancelled,
  }
  account.plan = plan
  account.available += plan.monthly
  account.monthSpent = 0
  await hasPrices(world, account, null)
}

interface Order {
  what: string
  path: string
  body: object
  /** Headers that pay for it, each by the same signature. */
  signed: readonly Headers[]
  isGood: boolean
}

/**
 * The answer once it is known whether the payment moved. Where a gateway died as it settled, that is
 * when the payment has expired: by the chain's time, which passes with blocks alone.
 */
const settled = (world: World, send: () => Promise<Heard>): Promise<Heard> =>
  untilClear(send, () => rpc(world.chain, 'evm_mine', []))

/**
 * Sends it one to three times at the same moment, and again until it is clear: whoever sends a payment
 * that is at work, or whose settlement is not known yet, is told to come back. Also one without USDC: of
 * whom has paid just now, the balance is not asked for before the work. The answer, which is one however
 * often it comes; null: it was refused, as expected or not.
 */
async function buys(world: World, order: Order): Promise<Heard | null> {
  const { what, path, body, signed, isGood } = order
  // Whichever of them is done, the ledger has it under this.
  const requestId = newId()
  const send = (n: number) => {
    const headers = { ...signed[n % signed.length]!, 'x-request-id': requestId }
    return world.call('POST', path, { body, headers })
  }
  const count = 1 + world.random.below(3)
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => send(n)))
  const last = await settled(world, () => send(count))
  const clear = [...answers.filter((answer) => !isLater(answer)), last]
  for (const answer of clear) world.expect(what, answer, isGood)
  if (!isGood || world.isOff) return null
  if (new Set(clear.map((answer) => answer.text)).size !== 1)
    world.found(`${what} got several answers`, last)
  const first = clear.filter(({ headers }) => headers.get('idempotency-replayed') !== 'true')
  if (first.length > 1) world.found(`${what} was done ${first.length} times`, last)
  return first[0] ?? last
}

interface Signing {
  rail: Rail
  bend: string | null
  path: string
  body: object
  /** Headers that show who pays. */
  shown?: Headers
}

/** Headers that pay for what the route asks: of both rails by one signature, or of one. */
async function sign(
  world: World,
  { wallet }: Payer,
  { rail, bend, path, body, shown = {} }: Signing,
): Promise<Headers[]> {
  const unpaid = await world.call('POST', path, { body, headers: shown })
  if (unpaid.status !== 402) world.found('an unpaid call is no 402', unpaid)
  const asked = requirementsIn(decode(unpaid.headers.get('payment-required')))
  if (rail === 'x402') {
    const payment = await signPayment(wallet, asked, bend === null ? {} : BENDS[bend])
    return [{ ...shown, 'payment-signature': encode(payment) }]
  }
  let credential = await credentialFor(wallet, challengesOf(unpaid)[0]!)
  if (bend !== null) {
    const parts = partsOf(credential)
    const changed = {
      ...parts.payload,
      ...(bend === 'underpaid' ? { value: '1' } : { to: NOBODY }),
    }
    credential = credentialOf({ ...parts, payload: changed })
  }
  const byMpp = { authorization: credential }
  return rail === 'mpp' ? [byMpp] : [byMpp, { 'payment-signature': asX402(credential, asked) }]
}

/** One that has USDC, or sometimes one that has not enough. */
async function payerOf(world: World): Promise<Payer> {
  const payer = world.random.of(world.payers)
  if (payer.usdc < PRICE && world.random.chance(0.5)) {
    payer.usdc = world.random.of(USDC)
    await world.chain.fund(payer.wallet.address, BigInt(payer.usdc))
  }
  return payer
}
