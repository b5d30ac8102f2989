/**
 * Customers whose credits move in every way that is not a call of a skill: bought by card, spent on a
 * plan and its months, held and captured, refunded by the operator, and taken back by the payment
 * provider. Each step is sent until its answer is clear, often twice at once; what it is named by must
 * make it happen once.
 */
import { connectDatabase } from '../../../host/database/connect.ts'
import { newId } from '../../../kernel/ids.ts'
import { seeded } from '../../support/docintel-fixtures/random.ts'
import { silentLog } from '../../support/log.ts'
import type { TestProvider } from '../../support/topup.ts'
import { beginPlan, calendarOf, cancelPlan, hadTurn, type Calendar } from './customer-months.ts'
import { reverse } from './customer-reversals.ts'
import { Customer, type Deed } from './customer.ts'
import { auditCustomers } from './customers-audit.ts'
import { hurry } from './hurry.ts'
import { insist, isConflict, tell, type Street } from './insist.ts'
import type { OtherCallers } from './shop.ts'

const BOUGHT_USD = 7.5
const BOUGHT_CREDITS = 750

export interface CustomersOptions {
  providers: readonly TestProvider[]
  customers: number
  seed: number
  /** Whether who lost every callback is told late by the provider, and need not wait for a round. */
  isHurried: boolean
}

interface Town extends Street {
  providers: readonly TestProvider[]
  calendar: Calendar
  /** Whose callbacks are all lost. */
  forgotten: Customer[]
  /** Whose month has ended: they come again after its turn. */
  regulars: Customer[]
}

/** So many customers at once: each does all that there is to do, then the next one comes. */
export function customersOf(options: CustomersOptions): OtherCallers {
  return async (gateways, stopping, url) => {
    const customers: Customer[] = []
    const calendar = calendarOf(url)
    const shared = {
      gateways,
      providers: options.providers,
      calendar,
      forgotten: [],
      regulars: [],
      wrong: [],
      tally: { unclear: 0, sentAgain: 0 },
    }
    const town: Town = { ...shared, random: seeded(options.seed) }
    try {
      await Promise.all(
        Array.from({ length: options.customers }, async (_, i) => {
          const own: Town = { ...shared, random: seeded(options.seed * 131 + i) }
          while (!stopping.aborted) {
            const isNew = own.regulars.length === 0 || own.random.chance(0.6)
            await (isNew ? live(own, customers) : comeAgain(own))
          }
        }),
      )
    } finally {
      await calendar.close()
    }
    if (options.isHurried) {
      for (const customer of town.forgotten) await tellPaid(town, customer)
      await hurry(url)
    } else await age(url, town.forgotten)
    town.wrong.push(...(await auditCustomers(customers, gateways, url)))
    return { wrong: town.wrong, counts: countsOf(customers, town) }
  }
}

function countsOf(customers: readonly Customer[], { tally }: Town): Record<string, number> {
  const counts: Partial<Record<Deed, number>> = {}
  for (const deed of customers.flatMap(({ deeds }) => deeds)) {
    counts[deed] = (counts[deed] ?? 0) + 1
  }
  const sent = { 'steps unclear at first': tally.unclear, 'steps sent again': tally.sentAgain }
  return { ...counts, ...sent }
}

/** One customer from the first payment to the end of the first month. */
async function live(town: Town, customers: Customer[]): Promise<void> {
  const { random } = town
  const customer = await bought(town)
  if (customer === null) return
  customers.push(customer)
  if (random.chance(0.25)) {
    customer.deeds.push('checkouts without callback')
    town.forgotten.push(customer)
    return
  }
  await tellPaid(town, customer)
  if (random.chance(0.7)) await beginPlan(town, customer)
  await spend(town, customer)
  if (random.chance(0.5)) await reverse(town, customer)
  await endMonth(town, customer)
}

/** One whose last month had its turn spends again, until the next month is over too. */
async function comeAgain(town: Town): Promise<void> {
  const { random, regulars } = town
  const [customer] = regulars.splice(random.int(0, regulars.length - 1), 1)
  if (customer === undefined) return
  if (!(await hadTurn(town, customer))) {
    regulars.push(customer)
    await Bun.sleep(random.int(20, 100))
    return
  }
  if (random.chance(0.6)) await spend(town, customer)
  if (random.chance(0.2)) await cancelPlan(town, customer)
  await endMonth(town, customer)
}

async function endMonth(town: Town, customer: Customer): Promise<void> {
  if (customer.month === null) return
  await town.calendar.endMonth(customer)
  if (customer.month !== null) town.regulars.push(customer)
}

/** A customer who has paid at a checkout and whom no gateway knows as one who paid. */
async function bought(town: Town): Promise<Customer | null> {
  const provider = town.random.pick(town.providers)
  const made = await insist(town, 'a key', (gateway) =>
    gateway.admin('POST', '/v1/keys', { name: 'customer' }),
  )
  if (made === null) return null
  const { id: keyId, key } = made.json
  const order = { apiKeyId: keyId, amountUsd: BOUGHT_USD, provider: provider.id }
  // Whoever has no clear answer begins another checkout; nobody ever pays at the first.
  const begun = await insist(town, 'a checkout', (gateway) =>
    gateway.admin('POST', '/v1/credits/topup/initialize', order),
  )
  if (begun === null) return null
  const { reference } = begun.json
  provider.pay(reference)
  return new Customer({ keyId, key, provider, reference }, BOUGHT_CREDITS)
}

/** The callback of a checkout that was paid, until the gateway says that it has it. */
async function tellPaid(street: Street, { checkout }: Customer): Promise<void> {
  const { provider, reference } = checkout
  const charge = provider.charges.get(reference)!
  await tell(street, provider, (wire) => provider.event(charge, wire))
}

/** A hold that is captured, and perhaps refunded. One that expires before its capture costs nothing. */
async function spend(street: Street, customer: Customer): Promise<void> {
  const { keyId, key } = customer.checkout
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
    (answer) => isConflict(answer) || answer.status === 402,
  )
  if (held === null || held.status === 402) return
  customer.mayHold = true
  if (held.status !== 200) return
  const { authorizationId } = held.json
  const captured = await insist(
    street,
    'a capture',
    (gateway) =>
      gateway.call('POST', '/v1/credits/capture', { headers, body: { authorizationId } }),
    isConflict,
  )
  if (captured?.status !== 200) return
  customer.mayHold = false
  customer.captured(amountCredits)
  if (!street.random.chance(0.5)) return
  const refunded = await insist(street, 'a refund', (gateway) =>
    gateway.admin('POST', '/v1/credits/refund', { requestId, apiKeyId: keyId }),
  )
  if (refunded !== null) customer.refunded(amountCredits)
}

/** Their checkouts are so old that the next round of a gateway asks the provider about them. */
async function age(url: string, customers: readonly Customer[]): Promise<void> {
  const db = connectDatabase({ url, kind: 'server', log: silentLog })
  try {
    const references = customers.map(({ checkout }) => checkout.reference)
    await db.sql`
      UPDATE plugin_topup.intent SET created_at = now() - interval '1 hour', checked_at = NULL
      WHERE reference = ANY(${references})`
  } finally {
    await db.close()
  }
}
