/** Steps that bring credits in: play money, and checkouts of the simulated payment providers. */
import { newId } from '../../../kernel/ids.ts'
import { atomicOf, type Topup } from './model.ts'
import type { Heard, World } from './world.ts'

const USD = [0.05, 0.12, 0.4]
const CREDITS_PER_USD = 100
const TRIGGER = '/v1/sandbox/trigger'
const EVENTS = {
  a: { paid: 'charge.success', refund: 'refund.processed', dispute: 'charge.dispute.create', won: 'charge.dispute.resolve' },
  b: { paid: 'charge.completed', refund: 'refund.completed', dispute: 'chargeback.created', won: 'chargeback.updated' },
} as const // prettier-ignore

/** The same Idempotency-Key is one top-up, and no other one. */
export async function playMoney(world: World): Promise<void> {
  const { random } = world
  const key = random.of(world.keys)
  const { account } = key
  const credits = random.of([0.5, 2, 7])
  const isByKey = random.chance(0.5)
  const to = isByKey ? { apiKeyId: key.id } : { accountId: account.id }
  const headers = { 'idempotency-key': newId() }
  const ask = (amount: number): Promise<Heard> =>
    world.admin('POST', '/v1/sandbox/topup', { ...to, amount }, headers)
  const answers = await world.sometimesAtOnce(() => ask(credits))
  for (const answer of answers) world.expect('a sandbox top-up', answer, isTakenBy(key, isByKey))
  if (!isTakenBy(key, isByKey)) return
  const fresh = answers.filter(({ json }) => json?.duplicate === false)
  world.isOnce('sandbox top-ups', fresh, answers)
  account.available += atomicOf(credits)
  world.expect('another top-up by the same key', await ask(credits + 1), false)
}

/** Starts a checkout, or pays one again: its callback credits it once. */
export async function checkout(world: World): Promise<void> {
  const { random } = world
  const topups = topupsOf(world)
  const known = topups.length > 0 && random.chance(0.4) ? random.of(topups) : null
  if (known) return paidAgain(world, known)
  const key = random.of(world.keys)
  const provider = random.of(['a', 'b'] as const)
  const amountUsd = random.of(USD)
  const body = { event: EVENTS[provider].paid, apiKeyId: key.id, amountUsd }
  const answer = await world.admin('POST', TRIGGER, body)
  const isGood = isTakenBy(key, true)
  world.expect('a checkout', answer, isGood)
  if (!isGood || answer.status >= 300) return
  const amount = atomicOf(amountUsd * CREDITS_PER_USD)
  const { reference } = answer.json as { reference: string }
  world.topups.push({
    reference,
    at: answer.from,
    key,
    amount,
    provider,
    reversal: null,
    taken: 0,
  })
  key.account.available += amount
}

/** Whose provider lives: it is in the process of the gateway where they were paid. */
function topupsOf({ topups, shop }: World): Topup[] {
  return topups.filter(({ at }) => shop.gateways.isRunning(at))
}

async function paidAgain(world: World, { reference, provider, at }: Topup): Promise<void> {
  const body = { event: EVENTS[provider].paid, reference }
  const answers = await world.sometimesAtOnce(() => world.adminAt(at, TRIGGER, body))
  for (const answer of answers) world.expect('a payment that is told again', answer, true)
}

/** A refund or a dispute takes what is left of the top-up, once; a dispute that is won gives it back. */
export async function reverse(world: World): Promise<void> {
  const topups = topupsOf(world)
  if (topups.length === 0) return
  const topup = world.random.of(topups)
  const next = { refund: ['refund'], dispute: ['dispute', 'won'], won: ['won'] } as const
  const what = world.random.of(topup.reversal ? next[topup.reversal] : (['refund', 'dispute'] as const)) // prettier-ignore
  const body = { event: EVENTS[topup.provider][what], reference: topup.reference }
  const answers = await world.sometimesAtOnce(() => world.adminAt(topup.at, TRIGGER, body))
  for (const answer of answers) world.expect(`a ${what} of a top-up`, answer, true)
  const { account } = topup.key
  if (what === 'won' && topup.reversal === 'dispute') {
    account.available += topup.taken
    topup.taken = 0
  } else if (topup.reversal === null) {
    topup.taken = Math.min(topup.amount, account.available)
    account.available -= topup.taken
  }
  topup.reversal = what
}

/** Whether credits may come in for a key, or for its account itself. */
function isTakenBy({ isRevoked, account }: Topup['key'], isByKey: boolean): boolean {
  return !account.isClosed && !(isByKey && isRevoked)
}
