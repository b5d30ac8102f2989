/**
 * Callers who pay each call by x402. Whoever has no clear answer comes back with the same payment; in
 * the end the chain, the claims and the ledger must say of each payment what its payer was told.
 */
import { PERMIT2_ADDRESS } from '@x402/evm'
import { createPublicClient, http, numberToHex, parseAbi, type Address, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { connectDatabase } from '../../../host/database/connect.ts'
import { TOKEN_ABI } from '../../../plugins/x402/chain/token.ts'
import { seeded } from '../../support/docintel-fixtures/random.ts'
import type { Answer, GatewayProcess } from '../../support/gateway.ts'
import { silentLog } from '../../support/log.ts'
import { baseAsset } from '../../support/x402/chain.ts'
import {
  decode,
  encode,
  offerIn,
  requirementsIn,
  signPayment,
  signPermit2,
} from '../../support/x402/payments.ts'
import { claimNonceOf } from '../../../plugins/x402/payment/payload.ts'
import { patiently } from '../patiently.ts'
import { entriesOf } from './account-entries.ts'
import { hurry } from './hurry.ts'
import type { OtherCallers, OtherReport } from './shop.ts'
import { hash, type PaidOrder, type Ware } from './wares.ts'

const BITMAP_ABI = parseAbi([
  'function nonceBitmap(address owner, uint256 word) view returns (uint256)',
])
/** A payment is left for later after so many tries. */
const TRIES = 4
const GIVE_UP_MS = 180_000
/** A gateway looks again at a settlement after half a minute. */
const UNDONE_MS = 90_000

export interface PayersOptions {
  /** Each has its own account, with USDC. */
  accounts: readonly PrivateKeyAccount[]
  receivingAddress: Address
  /** Where the chain is asked, by the audit alone. */
  rpcUrl(): string
  seed: number
  /** Default: by EIP-3009. */
  method?: 'permit2'
  /** What they buy; default: answers of a skill. */
  wares?: readonly Ware[]
  /** Whether who was left without an answer need not wait for the leases of what failed. */
  isHurried: boolean
}

interface Payment {
  payer: Address
  nonce: Hex
  /** By what the gateway's claim names it. */
  claim: string
  order: PaidOrder
  atomic: bigint
  header: string
  /** What the last answer said; `unclear`: come back. */
  told: 'answered' | 'refused' | 'unclear'
  /** The answer, which must be the same whenever it is given. */
  answer: string | null
  tries: number
}

/** Callers of `accounts`, one each. */
export function payersBy(options: PayersOptions): OtherCallers {
  return async (gateways, stopping, url) => {
    const payments: Payment[] = []
    const wrong: string[] = []
    const receivedBefore = await receivedBy(options)
    await Promise.all(
      options.accounts.map(async (account, i) => {
        const random = seeded(options.seed * 97 + i)
        while (!stopping.aborted) {
          const ware = random.pick(options.wares ?? [hash])
          const payment = await signedFor(random.pick(gateways), account, ware, options.method)
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
  account: PrivateKeyAccount,
  ware: Ware,
  method: PayersOptions['method'],
): Promise<Payment | null> {
  const order = await ware(gateway).catch(() => null)
  if (order === null) return null
  const { path, body } = order
  const unpaid = await gateway.call('POST', path, { body }).catch(() => null)
  const header = unpaid?.headers.get('payment-required')
  if (unpaid?.status !== 402 || !header) return null
  return {
    ...(await signedBy(account, decode(header), method)),
    payer: account.address,
    order,
    told: 'unclear',
    answer: null,
    tries: 0,
  }
}

async function signedBy(
  account: PrivateKeyAccount,
  challenge: unknown,
  method: PayersOptions['method'],
): Promise<Pick<Payment, 'nonce' | 'claim' | 'atomic' | 'header'>> {
  if (method === 'permit2') {
    const asked = offerIn(challenge, 'exact', 'permit2')
    const signed = await signPermit2(account, asked)
    const nonce = numberToHex(BigInt(signed.payload.permit2Authorization.nonce), { size: 32 })
    const claim = claimNonceOf('permit2', nonce)
    return { nonce, claim, atomic: BigInt(asked.amount), header: encode(signed) }
  }
  const asked = requirementsIn(challenge)
  const signed = await signPayment(account, asked)
  const nonce = signed.payload.authorization.nonce as Hex
  return { nonce, claim: nonce, atomic: BigInt(asked.amount), header: encode(signed) }
}

/** Sends it once and notes what came of it; returns what was wrong with the answer. */
async function pay(payment: Payment, gateway: GatewayProcess): Promise<string[]> {
  payment.tries += 1
  const answer = await gateway
    .call('POST', payment.order.path, {
      body: payment.order.body,
      headers: { 'payment-signature': payment.header },
    })
    .catch(() => null)
  if (answer === null) return []
  if (answer.status === 200) {
    const { answer: before } = payment
    Object.assign(payment, { told: 'answered', answer: answer.text })
    const isSame = before === null || before === answer.text
    return isSame ? [] : [`payment ${payment.nonce} had two answers`]
  }
  if (payment.answer !== null && !isRetryable(answer)) {
    return [`payment ${payment.nonce} was answered, then refused: ${answer.text.slice(0, 200)}`]
  }
  if (!isRetryable(answer)) payment.told = 'refused'
  return []
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
    if (before === 'refused' && !(await patiently(() => isUsed(options, payment)))) return
    payment.told = 'unclear'
    const endMs = performance.now() + GIVE_UP_MS
    while (isUnclear(payment)) {
      if (performance.now() > endMs) wrong.push(`payment ${payment.nonce} does not resolve`)
      if (performance.now() > endMs) return
      wrong.push(...(await pay(payment, random.pick(gateways))))
      if (isUnclear(payment)) await Bun.sleep(random.int(100, 500))
    }
    const isLost = before !== 'unclear' && isTold(payment, 'refused')
    if (isLost) wrong.push(`payment ${payment.nonce} was ${before}, moved, and has no answer`)
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
      const { nonce, claim, order, told, atomic } = payment
      const isMoved = await isMovedInTheEnd(options, payment)
      if (isMoved) due += atomic
      if (isMoved) moved += 1
      if (isMoved !== (told === 'answered')) wrong.push(`${nonce} was ${told}, moved: ${isMoved}`)
      const [row] = await db.sql<[{ booked: number }]>`
        SELECT count(*)::int AS booked
        FROM plugin_x402.x402_claim c JOIN coinop.entry e ON e.id::text = c.ledger_id
        WHERE c.nonce = ${claim} AND c.state = 'settled'`
      if (row.booked !== (isMoved ? 1 : 0)) {
        wrong.push(`${nonce} ${told}: moved ${isMoved}, in the ledger ${row.booked} times`)
      }
      if (order.keyId !== null) {
        const expected = isMoved ? order.entries : []
        const found = await entriesOf(db.sql, order.keyId)
        if (found.join() !== expected.join()) {
          wrong.push(`${order.keyId} bought ${expected.join(', ')} and has ${found.join(', ')}`)
        }
      }
    }
    const received = (await receivedBy(options)) - receivedBefore
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

const contract = { address: baseAsset().address, abi: TOKEN_ABI } as const
const clientOf = ({ rpcUrl }: PayersOptions) => createPublicClient({ transport: http(rpcUrl()) })

/** What a chain undid after it was answered is made again, some time later. */
async function isMovedInTheEnd(options: PayersOptions, payment: Payment): Promise<boolean> {
  for (const endMs = performance.now() + UNDONE_MS; ;) {
    const isMoved = await patiently(() => isUsed(options, payment))
    if (isMoved || payment.told !== 'answered' || performance.now() > endMs) return isMoved
    await Bun.sleep(500)
  }
}

async function isUsed(options: PayersOptions, { payer, nonce }: Payment): Promise<boolean> {
  if (options.method === 'permit2') {
    const bits = await clientOf(options).readContract({
      address: PERMIT2_ADDRESS,
      abi: BITMAP_ABI,
      functionName: 'nonceBitmap',
      args: [payer, BigInt(nonce) >> 8n],
    })
    return ((bits >> (BigInt(nonce) & 0xffn)) & 1n) === 1n
  }
  return clientOf(options).readContract({
    ...contract,
    functionName: 'authorizationState',
    args: [payer, nonce],
  })
}

const receivedBy = (options: PayersOptions): Promise<bigint> =>
  clientOf(options).readContract({
    ...contract,
    functionName: 'balanceOf',
    args: [options.receivingAddress],
  })
