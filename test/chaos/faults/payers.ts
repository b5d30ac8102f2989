/**
 * Callers who pay each call on chain. Whoever has no clear answer comes back with the same payment; in
 * the end the chain, the claims and the ledger must say of each payment what its payer was told.
 */
import { connectDatabase } from '../../../host/database/connect.ts'
import { seeded } from '../../support/docintel-fixtures/random.ts'
import type { Answer, GatewayProcess } from '../../support/gateway.ts'
import { silentLog } from '../../support/log.ts'
import { decode } from '../../support/x402/payments.ts'
import { patiently } from '../patiently.ts'
import { entriesOf } from './account-entries.ts'
import { hurry } from './hurry.ts'
import type { Purse, Purses, Signed } from './purse.ts'
import type { OtherCallers, OtherReport } from './shop.ts'
import { hash, type PaidOrder, type Ware } from './wares.ts'

/** A payment is left for later after so many tries. */
const TRIES = 4
const GIVE_UP_MS = 180_000
/** A gateway looks again at a settlement after half a minute. */
const UNDONE_MS = 90_000

export interface PayersOptions extends Purses {
  seed: number
  /** What they buy; default: answers of a skill. */
  wares?: readonly Ware[]
  /** Whether who was left without an answer need not wait for the leases of what failed. */
  isHurried: boolean
}

interface Payment extends Signed {
  order: PaidOrder
  /** What the last answer said; `unclear`: come back. */
  told: 'answered' | 'refused' | 'unclear'
  /** The answer, which must be the same whenever it is given. */
  answer: string | null
  /** The transaction that the answer names. */
  receipt: string | null
  tries: number
}

/** A caller for each purse. */
export function payersBy(options: PayersOptions): OtherCallers {
  return async (gateways, stopping, url) => {
    const payments: Payment[] = []
    const wrong: string[] = []
    const receivedBefore = await options.received()
    await Promise.all(
      options.purses.map(async (purse, i) => {
        const random = seeded(options.seed * 97 + i)
        while (!stopping.aborted) {
          const ware = random.pick(options.wares ?? [hash])
          const payment = await signedFor(random.pick(gateways), purse, ware)
          if (payment === null) {
            await Bun.sleep(random.int(50, 300))
            continue
          }
          payments.push(payment)
          for (let n = 0; n < TRIES && (n === 0 || isUnclear(payment)); n++) {
            if (n > 0) await Bun.sleep(random.int(100, 800))
            wrong.push(...(await pay(payment, random.pick(gateways))))
          }
        }
      }),
    )
    const unclear = payments.filter(isUnclear).length
    if (options.isHurried && unclear > 0) await hurry(url)
    const sentAgain = payments.reduce((sum, { tries }) => sum + tries, -payments.length)
    wrong.push(...(await resolved(options, payments, gateways)))
    return audit(options, payments, url, { wrong, unclear, sentAgain, receivedBefore })
  }
}

/** A payment for what the gateway asks at this moment; null while it offers nothing. */
async function signedFor(
  gateway: GatewayProcess,
  purse: Purse,
  ware: Ware,
): Promise<Payment | null> {
  const order = await ware(gateway).catch(() => null)
  if (order === null) return null
  const { path, body, shown: headers = {} } = order
  const unpaid = await gateway.call('POST', path, { body, headers }).catch(() => null)
  if (unpaid?.status !== 402) return null
  const signed = await purse(unpaid).catch(() => null)
  return signed && { ...signed, order, told: 'unclear', answer: null, receipt: null, tries: 0 }
}

/** Sends it once and notes what came of it; returns what was wrong with the answer. */
async function pay(payment: Payment, gateway: GatewayProcess): Promise<string[]> {
  payment.tries += 1
  const answer = await gateway
    .call('POST', payment.order.path, {
      body: payment.order.body,
      headers: { ...payment.order.shown, ...payment.headers },
    })
    .catch(() => null)
  if (answer === null) return []
  if (answer.status === 200) {
    const { answer: before } = payment
    Object.assign(payment, { told: 'answered', answer: answer.text, receipt: receiptOf(answer) })
    const isSame = before === null || before === answer.text
    return isSame ? [] : [`payment ${payment.name} had two answers`]
  }
  if (payment.answer !== null && !isRetryable(answer)) {
    return [`payment ${payment.name} was answered, then refused: ${answer.text.slice(0, 200)}`]
  }
  if (!isRetryable(answer)) payment.told = 'refused'
  return []
}

/** The transaction of x402's receipt, or of MPP's. */
function receiptOf({ headers }: Answer): string | null {
  const x402 = headers.get('payment-response')
  if (x402 !== null) return decode<{ transaction: string }>(x402).transaction
  const mpp = headers.get('payment-receipt')
  return mpp === null ? null : decode<{ reference: string }>(mpp).reference
}

const isTold = ({ told }: Payment, what: Payment['told']): boolean => told === what
const isUnclear = (payment: Payment): boolean => isTold(payment, 'unclear')

const isRetryable = ({ status, problem }: Answer): boolean =>
  problem?.retryable === true || status === 409 || status >= 500

/**
 * Everything works again: who was left without an answer comes back, who had one asks again, and so
 * does whoever was refused and finds that the money moved all the same.
 */
async function resolved(
  options: PayersOptions,
  payments: readonly Payment[],
  gateways: readonly GatewayProcess[],
): Promise<string[]> {
  const random = seeded(options.seed)
  const wrong: string[] = []
  const comeBack = async (payment: Payment): Promise<void> => {
    const before = payment.told
    if (before === 'refused' && !(await patiently(payment.isMoved))) return
    payment.told = 'unclear'
    const endMs = performance.now() + GIVE_UP_MS
    while (isUnclear(payment)) {
      if (performance.now() > endMs) wrong.push(`payment ${payment.name} does not resolve`)
      if (performance.now() > endMs) return
      wrong.push(...(await pay(payment, random.pick(gateways))))
      if (isUnclear(payment)) await Bun.sleep(random.int(100, 500))
    }
    const isLost = before !== 'unclear' && isTold(payment, 'refused')
    if (isLost) wrong.push(`payment ${payment.name} was ${before}, moved, and has no answer`)
  }
  for (let at = 0; at < payments.length; at += 8) {
    await Promise.all(payments.slice(at, at + 8).map(comeBack))
  }
  return wrong
}

interface Known {
  wrong: string[]
  unclear: number
  sentAgain: number
  receivedBefore: bigint
}

async function audit(
  options: PayersOptions,
  payments: readonly Payment[],
  url: string,
  { wrong, unclear, sentAgain, receivedBefore }: Known,
): Promise<OtherReport> {
  const db = connectDatabase({ url, kind: 'server', log: silentLog })
  try {
    let due = 0n
    let moved = 0
    for (const payment of payments) {
      const { name, claim, order, told, atomic, receipt } = payment
      const isMoved = await isMovedInTheEnd(payment)
      if (isMoved) due += atomic
      if (isMoved) moved += 1
      if (isMoved !== (told === 'answered')) wrong.push(`${name} was ${told}, moved: ${isMoved}`)
      const rows = await db.sql<{ booked: string | null }[]>`
        SELECT c.transaction AS booked
        FROM plugin_x402.x402_claim c JOIN coinop.entry e ON e.id::text = c.ledger_id
        WHERE c.nonce = ${claim} AND c.state = 'settled'`
      if (rows.length !== (isMoved ? 1 : 0)) {
        wrong.push(`${name} ${told}: moved ${isMoved}, in the ledger ${rows.length} times`)
      }
      if (isMoved && payment.transaction) {
        const made = await patiently(payment.transaction)
        const said = [receipt, ...rows.map(({ booked }) => booked)]
        if (said.some((one) => one !== made)) {
          wrong.push(`${name}: the chain has ${made}, answer and claim have ${said.join(', ')}`)
        }
      }
      if (order.keyId !== null) {
        const expected = isMoved ? order.entries : []
        const found = await entriesOf(db.sql, order.keyId)
        if (found.join() !== expected.join()) {
          wrong.push(`${order.keyId} bought ${expected.join(', ')} and has ${found.join(', ')}`)
        }
      }
    }
    if (moved === 0) wrong.push('nobody paid anything')
    const received = (await options.received()) - receivedBefore
    if (received !== due) wrong.push(`${received} USDC came in, and payments moved ${due}`)
    const [{ booked }] = await db.sql<[{ booked: number }]>`
      SELECT count(*)::int AS booked FROM coinop.entry WHERE kind = 'settlement'`
    if (booked !== moved) wrong.push(`${booked} settlements in the ledger for ${moved} payments`)
    const count = (what: Payment['told']) => payments.filter(({ told }) => told === what).length
    return {
      wrong,
      counts: {
        payments: payments.length,
        'payments answered': count('answered'),
        'payments refused': count('refused'),
        'payments unclear until all was well': unclear,
        'payments sent again': sentAgain,
      },
    }
  } finally {
    await db.close()
  }
}

/** What a chain undid after it was answered is made again, some time later. */
async function isMovedInTheEnd({ isMoved, told }: Payment): Promise<boolean> {
  for (const endMs = performance.now() + UNDONE_MS; ;) {
    const hasMoved = await patiently(isMoved)
    if (hasMoved || told !== 'answered' || performance.now() > endMs) return hasMoved
    await Bun.sleep(500)
  }
}
