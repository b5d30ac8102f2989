/**
 * Customers whose credits move in every way that is not a call of a skill: bought by card, spent on a
 * plan, held and captured, refunded by the operator, and taken back by the payment provider. Each step
 * is sent until its answer is clear, often twice at once; what it is named by must make it happen once.
 */
import { connectDatabase } from '../../../host/database/connect.ts'
import { newId } from '../../../kernel/ids.ts'
import { seeded, type Random } from '../../support/docintel-fixtures/random.ts'
import type { Answer, GatewayProcess } from '../../support/gateway.ts'
import { silentLog } from '../../support/log.ts'
import {
  deliver,
  type EventOptions,
  type SignedEvent,
  type TestProvider,
} from '../../support/topup.ts'
import { auditCustomers, type Customer } from './customers-audit.ts'
import type { OtherCallers } from './shop.ts'

const BOUGHT_USD = 7.5
const BOUGHT_CREDITS = 750
/** Cents that a provider gives back of a checkout: as many credits. */
const REVERSED = [50, 100, 200] as const
const GIVE_UP_MS = 180_000

export interface CustomersOptions {
  providers: readonly TestProvider[]
  customers: number
  seed: number
  /** Whether who lost every callback is told late by the provider, and need not wait for a round. */
  isHurried: boolean
}

interface Street {
  options: CustomersOptions
  gateways: readonly GatewayProcess[]
  random: Random
  wrong: string[]
  /** Steps whose first answer was not clear, and requests beyond the first of each step. */
  tally: { unclear: number; sentAgain: number }
}

/** So many customers at once: each lives through all of it, then the next one comes. */
export function customersOf(options: CustomersOptions): OtherCallers {
  return async (gateways, stopping, url) => {
    const customers: Customer[] = []
    const wrong: string[] = []
    const tally = { unclear: 0, sentAgain: 0 }
    await Promise.all(
      Array.from({ length: options.customers }, async (_, i) => {
        const random = seeded(options.seed * 131 + i)
        const street: Street = { options, gateways, random, wrong, tally }
        while (!stopping.aborted) await live(street, customers)
      }),
    )
    const forgotten = customers.filter(({ isForgotten }) => isForgotten)
    if (options.isHurried) {
      const street: Street = { options, gateways, random: seeded(options.seed), wrong, tally }
      for (const { provider, reference } of forgotten) await tellPaid(street, provider, reference)
    } else await age(url, forgotten)
    wrong.push(...(await auditCustomers(customers, gateways, url)))
    const count = (has: (customer: Customer) => boolean) => customers.filter(has).length
    return {
      wrong,
      counts: {
        'checkouts credited': customers.length,
        'checkouts without callback': forgotten.length,
        'plans begun': count(({ hasPlan }) => hasPlan),
        'holds captured': count(({ captured }) => captured > 0),
        'charges refunded': count(({ refunded }) => refunded > 0),
        'checkouts reversed': count(({ reversed }) => reversed > 0),
        'steps unclear at first': tally.unclear,
        'steps sent again': tally.sentAgain,
      },
    }
  }
}

/** One customer from the first payment to the last refund. */
async function live(street: Street, customers: Customer[]): Promise<void> {
  const { random, options } = street
  const provider = random.pick(options.providers)
  const made = await insist(street, 'a key', (gateway) =>
    gateway.admin('POST', '/v1/keys', { name: 'customer' }),
  )
  if (made === null) return
  const { id: keyId, key } = made.json
  const order = { apiKeyId: keyId, amountUsd: BOUGHT_USD, provider: provider.id }
  // Whoever has no clear answer begins another checkout; nobody ever pays at the first.
  const begun = await insist(street, 'a checkout', (gateway) =>
    gateway.admin('POST', '/v1/credits/topup/initialize', order),
  )
  if (begun === null) return
  const { reference } = begun.json
  provider.pay(reference)
  const customer: Customer = {
    keyId,
    provider,
    reference,
    bought: BOUGHT_CREDITS,
    isForgotten: random.chance(0.25),
    hasPlan: false,
    captured: 0,
    refunded: 0,
    reversed: 0,
  }
  customers.push(customer)
  if (customer.isForgotten) return
  await tellPaid(street, provider, reference)
  if (random.chance(0.7)) customer.hasPlan = await beginPlan(street, key)
  await spend(street, customer, key)
  if (random.chance(0.5)) await reverse(street, customer)
}

/** The callback of a checkout that was paid, until the gateway says that it has it. */
async function tellPaid(street: Street, provider: TestProvider, reference: string): Promise<void> {
  const charge = provider.charges.get(reference)!
  await tell(street, provider, (wire) => provider.event(charge, wire))
}

async function tell(
  street: Street,
  provider: TestProvider,
  event: (wire: EventOptions) => SignedEvent,
): Promise<void> {
  // Provider A has one form of callbacks and ignores it.
  const version = street.random.pick(['v3', 'v4'] as const)
  await insist(street, `a callback of ${provider.id}`, (gateway) =>
    deliver(gateway, provider.id, event({ version })),
  )
}

async function beginPlan(street: Street, key: string): Promise<boolean> {
  const begun = await insist(
    street,
    'a plan',
    (gateway) =>
      gateway.call('POST', '/v1/plans/subscription', {
        headers: { 'x-api-key': key },
        body: { plan: 'starter' },
      }),
    (answer) => answer.problem?.details?.reason === 'plan_exists',
  )
  return begun !== null
}

/** A hold that is captured, and perhaps refunded. One that expires before its capture costs nothing. */
async function spend(street: Street, customer: Customer, key: string): Promise<void> {
  const headers = { 'x-api-key': key }
  const requestId = newId()
  const amountCredits = street.random.int(1, 100)
  const held = await insist(
    street,
    'a hold',
    (gateway) =>
      gateway.call('POST', '/v1/credits/authorize', {
        headers,
        body: { requestId, skill: 'chaos', amountCredits },
      }),
    isConflict,
  )
  if (held?.status !== 200) return
  const { authorizationId } = held.json
  const captured = await insist(
    street,
    'a capture',
    (gateway) =>
      gateway.call('POST', '/v1/credits/capture', { headers, body: { authorizationId } }),
    isConflict,
  )
  if (captured?.status !== 200) return
  customer.captured = amountCredits
  if (!street.random.chance(0.5)) return
  const refunded = await insist(street, 'a refund', (gateway) =>
    gateway.admin('POST', '/v1/credits/refund', { requestId, apiKeyId: customer.keyId }),
  )
  if (refunded !== null) customer.refunded = amountCredits
}

/** The provider gives a part of the price back to the card, and tells it. */
async function reverse(street: Street, customer: Customer): Promise<void> {
  const { provider, reference } = customer
  const amountMinor = street.random.pick(REVERSED)
  const reversal = provider.reverse(reference, 'refund', { amountMinor })
  customer.reversed = amountMinor
  await tell(street, provider, (wire) => provider.reversalEvent(reversal, wire))
}

const isConflict = ({ status, problem }: Answer): boolean =>
  status === 409 && problem?.retryable !== true

/**
 * Sends a step, now and then twice at once, until an answer is 200 or 201 or `isEnd` says that it is
 * clear; null after an answer that is neither and will not change, which is wrong.
 */
async function insist(
  { gateways, random, wrong, tally }: Street,
  what: string,
  step: (gateway: GatewayProcess) => Promise<Answer>,
  isEnd: (answer: Answer) => boolean = () => false,
): Promise<Answer | null> {
  const ask = () => step(random.pick(gateways)).catch(() => null)
  const endMs = performance.now() + GIVE_UP_MS
  for (let n = 0; performance.now() < endMs; n++) {
    if (n > 0) {
      tally.sentAgain += 1
      await Bun.sleep(random.int(100, 600))
    }
    const heard = await Promise.all(random.chance(0.3) ? [ask(), ask()] : [ask()])
    const answers = heard.filter((answer) => answer !== null)
    const good = answers.find(({ status }) => status === 200 || status === 201)
    const end = good ?? answers.find(isEnd)
    if (end) return end
    const refused = answers.find((answer) => !isRetryable(answer))
    if (refused) {
      wrong.push(`${what} was refused: ${refused.status} ${refused.text.slice(0, 300)}`)
      return null
    }
    if (n === 0) tally.unclear += 1
  }
  wrong.push(`${what} does not resolve`)
  return null
}

const isRetryable = ({ status, problem }: Answer): boolean =>
  problem?.retryable === true || status >= 500

/** Their checkouts are so old that the next round of a gateway asks the provider about them. */
async function age(url: string, customers: readonly Customer[]): Promise<void> {
  const db = connectDatabase({ url, kind: 'server', log: silentLog })
  try {
    const references = customers.map(({ reference }) => reference)
    await db.sql`
      UPDATE plugin_topup.intent SET created_at = now() - interval '1 hour', checked_at = NULL
      WHERE reference = ANY(${references})`
  } finally {
    await db.close()
  }
}
