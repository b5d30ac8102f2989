/**
 * Credits for a key, a new key, an account or the wallet that pays, for one payment. The work before settlement only notes
 * the purchase; the key is made, or the wallet's account opened, and the credits are given once the payment has settled, in one
 * transaction that a retry, the background round or another instance may also run.
 *
 * A payment's signature stands on the chain for everybody to read, so whoever sends it again is not
 * known to be the buyer: the new key's text goes to the first answer, and again only to a retry that
 * carries the same Idempotency-Key. Until then it is kept sealed, for a day.
 */
import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import {
  assert,
  atomicToCredits,
  fail,
  invalid,
  isIdempotencyKey,
  type Accounts,
  type Failure,
  type Funds,
  type KeyDirectory,
  type Logger,
  type PluginDb,
  type PluginTx,
  type RouteRequest,
  type OneOffSales,
  type Vault,
} from '#kernel'
import { digestOfPayment } from '../shared/payments/payment-digest.ts'
import { CREDITS_SKILL, PURCHASE_SOURCE, purchaseReference } from '../shared/topup/purchases.ts'
import { ownerOf, readOrder, type Recipient } from './purchase-order.ts'
import { REASONS } from './reasons.ts'
import type { Purchase, TopupStore } from './store.ts'

export const PURCHASE_PATH = '/v1/credits/topup/x402'
/** A shorter Idempotency-Key can be guessed, so it does not show a key again. */
const PROOF_CHARACTERS = 16

const SOLD = {
  requestId: Type.String(),
  credits: Type.Number(),
  amountUsd: Type.Number(),
}
const Sold = Type.Object(SOLD)
export const PurchaseOutput = Type.Object({
  ...SOLD,
  apiKeyId: Type.Optional(Type.String({ description: 'The key that was funded' })),
  wallet: Type.Optional(
    Type.String({ description: "The wallet that was funded: 'eip155:0x…' or 'solana:…'" }),
  ),
  accountId: Type.Optional(Type.String({ description: 'The account that was named' })),
  key: Type.Optional(
    Type.String({
      description:
        'The new key: in the first answer, and for a day in answers to retries with the same Idempotency-Key of 16 or more characters',
    }),
  ),
  note: Type.Optional(Type.String({ description: 'Why a new key is not shown' })),
})

export interface PurchaseDeps {
  db: PluginDb
  store: TopupStore
  funds: Funds
  accounts: Accounts
  keys: KeyDirectory
  vault: Vault
  sales: OneOffSales
  log: Logger
  sandbox: boolean
  /** Whether wallets can spend credits here. */
  walletsSignIn(): boolean
  minimumAtomic: bigint
  /** What a 402 offers to an unpaid request that names no amount that can be sold. */
  suggestedAtomic: bigint
}

/**
 * POST /v1/credits/topup/x402: the 402 with its offer, then the credits for the payment. An unpaid
 * request gets its 402 whatever its body says; a paid one whose body is wrong is 400, uncharged.
 */
export async function purchase(
  deps: PurchaseDeps,
  request: RouteRequest,
): Promise<Response | Failure> {
  const read = await request.json()
  const asked = read.ok ? await readOrder(deps, read.value) : read
  if (!asked.ok) return isUnpaid(request) ? suggestion(deps, request, asked) : asked
  const { refusal } = asked.order
  const paidWith = digestOfPayment(request.request.headers)
  if (refusal !== null) {
    if (isUnpaid(request)) return suggestion(deps, request, refusal)
    // A payment that was taken before gets its answer, whatever became of its key or account since.
    if (paidWith === null || !(await deps.store.wasPaidWith(paidWith))) return refusal
  }
  const idempotencyKey = request.request.headers.get('idempotency-key')
  if (idempotencyKey !== null && !isIdempotencyKey(idempotencyKey))
    return invalid([{ path: '/headers/idempotency-key', message: 'is malformed' }])
  const { amountAtomic, amountUsd, recipient } = asked.order
  const retryHash = hashOf(idempotencyKey)
  const credits = atomicToCredits(amountAtomic)
  const sale = await deps.sales.sell({
    ...goods(amountAtomic),
    request,
    idempotencyKey,
    input: { amountUsd, ...namedIn(recipient) },
    async work(requestId, payer) {
      if (refusal !== null) return refusal
      const paidBy = recipient.to === 'wallet' ? await ownerOf(deps, payer) : null
      if (paidBy?.ok === false) return paidBy
      await deps.store.addPurchase({
        requestId,
        keyId: recipient.to === 'key' ? recipient.keyId : null,
        accountId: recipient.to === 'account' ? recipient.accountId : null,
        owner: paidBy?.owner ?? null,
        amountAtomic,
        retryHash,
        paidWith,
      })
      return { ok: true, output: { requestId, credits, amountUsd } }
    },
  })
  if (sale.outcome === 'unsold') return sale.response
  return handOver(deps, sale.response, { isNew: sale.outcome === 'sold', retryHash })
}

/** The recipient as the payment is bound to it, in the words of the body. */
function namedIn(recipient: Recipient): Record<string, unknown> {
  if (recipient.to === 'wallet') return { wallet: true }
  if (recipient.to === 'account') return { accountId: recipient.accountId }
  return { apiKeyId: recipient.to === 'key' ? recipient.keyId : null }
}

function goods(amountAtomic: bigint) {
  return {
    skillId: CREDITS_SKILL,
    title: 'Prepaid credits',
    description: `${atomicToCredits(amountAtomic)} prepaid credits`,
    path: PURCHASE_PATH,
    rails: ['x402', 'mpp'],
    amountAtomic,
    output: Sold,
  }
}

const CREDENTIALS = [
  'payment-signature',
  'x-payment',
  'payment-authorization',
  'x-api-key',
  'authorization',
]

function isUnpaid({ request }: RouteRequest): boolean {
  return !CREDENTIALS.some((name) => request.headers.has(name))
}

interface Explained {
  details?: Record<string, unknown>
}

/** The 402 for a request whose body cannot be sold as it is; it says what is wrong with it. */
async function suggestion(
  deps: PurchaseDeps,
  request: RouteRequest,
  refusal: Failure,
): Promise<Response> {
  const { response } = await deps.sales.sell({
    ...goods(deps.suggestedAtomic),
    request,
    idempotencyKey: null,
    input: {},
    work: async () => refusal,
  })
  type Body = { error: Explained; problem?: Explained }
  const body = (await response.json()) as Body
  const explained = body.problem ?? body.error
  const issues = refusal.details?.['issues'] ?? [{ path: '', message: refusal.message }]
  explained.details = { ...explained.details, issues }
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return Response.json(body, { status: response.status, headers })
}

/** The sale's answer with what was funded. */
async function handOver(
  deps: PurchaseDeps,
  response: Response,
  sale: { isNew: boolean; retryHash: string | null },
): Promise<Response | Failure> {
  const sold = (await response.json()) as { requestId: string }
  const bought = await fulfil(deps, sold.requestId).catch((error: unknown) => {
    deps.log.error({ err: error, requestId: sold.requestId }, 'a paid x402 top-up waits for credit')
    return null
  })
  if (!bought) {
    return fail(
      'INTERNAL_ERROR',
      'The payment has settled and its credits could not be given yet; they follow without another payment',
      { status: 503, details: { purchaseId: sold.requestId, paid: true } },
    )
  }
  if (bought === 'refused') {
    return fail(
      'INVALID_INPUT',
      'The payment has settled, but its credits cannot be given: the key was revoked, or its account closed, meanwhile. Ask the operator, who was told, to give it back',
      { status: 409, details: { purchaseId: sold.requestId, paid: true } },
    )
  }
  if (bought.isGivenByHand) {
    return fail(
      'INVALID_INPUT',
      'The payment has settled, and the operator has given its credits by hand: ask there for the key that has them',
      {
        status: 409,
        details: { reason: REASONS.given_by_operator, purchaseId: sold.requestId, paid: true },
      },
    )
  }
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  headers.set('cache-control', 'no-store')
  const isBuyer = sale.isNew || (sale.retryHash !== null && sale.retryHash === bought.retryHash)
  const { keyId, owner, accountId, sealedKey } = bought
  const answer = {
    ...sold,
    ...(keyId !== null && { apiKeyId: keyId }),
    ...(owner !== null && { wallet: owner }),
    ...(accountId !== null && { accountId }),
    ...(sealedKey !== null && (await shown(deps, sealedKey, isBuyer))),
  }
  return Response.json(answer, { status: response.status, headers })
}

/** The new key's text for the buyer, or a word that says why it is not there. */
async function shown(
  deps: PurchaseDeps,
  sealedKey: string,
  isBuyer: boolean,
): Promise<{ key: string } | { note: string }> {
  if (!isBuyer) return { note: 'The new key was shown in the first answer to this payment' }
  try {
    return { key: await deps.vault.open(sealedKey) }
  } catch (error) {
    deps.log.error({ err: error }, 'a bought key cannot be unsealed')
    return { note: 'The new key has its credits; ask the operator to rotate it' }
  }
}

/**
 * Gives what a settled purchase bought, once: the key when none was named, the wallet's account at its
 * first purchase, and the credits. The purchase as it stands then; null when it is unknown, 'refused'
 * when its credit was, which is flagged. Call it only for a purchase whose payment has settled.
 */
export async function fulfil(
  deps: PurchaseDeps,
  requestId: string,
): Promise<Purchase | 'refused' | null> {
  const { store, log } = deps
  // Before the transaction, which must not wait for another connection.
  const asked = await store.purchase(requestId)
  const accountId = await accountOf(deps, asked)
  if (asked?.keyId === null && accountId === null) await makeKey(deps, requestId)
  const refused: { reason: string; paidFor: string }[] = []
  const bought = await deps.db.transaction(async (tx) => {
    const noted = await store.lockPurchase(tx, requestId)
    if (!noted || noted.creditedAt !== null) return noted
    const { keyId } = noted
    const credited = await credit(deps, { noted, accountId }, tx)
    if (!credited.ok) {
      refused.push({ reason: credited.reason, paidFor: keyId ?? noted.owner ?? accountId! })
      return null
    }
    // What is in the ledger under this name and was not given here is what an operator gave by hand.
    const isGivenByHand = credited.duplicate
    await store.endPurchase(tx, { requestId, isGivenByHand })
    if (isGivenByHand) return { ...noted, isGivenByHand }
    const { ledgerId } = credited
    log.info({ requestId, keyId, accountId, ledgerId }, 'x402 top-up credited')
    return noted
  })
  for (const { reason, paidFor } of refused) {
    const detail = `paid for ${paidFor}, not credited`
    if (await store.flag({ provider: 'x402', reference: requestId, reason, detail }))
      log.error({ requestId, paidFor, reason }, 'a paid x402 top-up cannot be credited')
  }
  return refused.length > 0 ? 'refused' : bought
}

/** The account that the purchase names, or that of the wallet that paid; null: it is for a key. */
async function accountOf(
  { accounts, sandbox }: PurchaseDeps,
  noted: Purchase | null,
): Promise<string | null> {
  if (noted === null || noted.owner === null) return noted?.accountId ?? null
  const { owner } = noted
  const opened = await accounts.ofOwner(owner, { name: owner, mode: sandbox ? 'test' : 'live' })
  assert(opened !== null, `an account of ${owner}`)
  return opened.accountId
}

/** Of an account where there is one, else of the key; once for each purchase. */
function credit(
  { funds, accounts }: PurchaseDeps,
  to: { noted: Purchase; accountId: string | null },
  tx: PluginTx,
): Promise<{ ok: true; ledgerId: string; duplicate: boolean } | { ok: false; reason: string }> {
  const { requestId, keyId, amountAtomic } = to.noted
  const order = {
    amountAtomic,
    source: PURCHASE_SOURCE,
    reference: purchaseReference(requestId),
    note: `settled request ${requestId}`,
  }
  if (to.accountId !== null) return accounts.credit({ ...order, accountId: to.accountId }, tx)
  return funds.credit({ ...order, keyId: keyId! }, tx)
}

/**
 * Makes the new key of a purchase that names no recipient, and notes it before its credits are given: where
 * these are rolled back or refused, the next attempt gives them to the same key. Key and note are one
 * transaction, so that no crash leaves a key that no purchase knows.
 */
async function makeKey(deps: PurchaseDeps, requestId: string): Promise<void> {
  const { db, store, vault } = deps
  await db.transaction(async (tx) => {
    const noted = await store.lockPurchase(tx, requestId)
    if (!noted || noted.keyId !== null || noted.creditedAt !== null) return
    const { id: keyId, key } = await newKey(deps, tx)
    await store.noteNewKey(tx, { requestId, keyId, sealedKey: await vault.seal(key) })
  })
}

async function newKey(deps: PurchaseDeps, tx: PluginTx): Promise<{ id: string; key: string }> {
  const mode = deps.sandbox ? 'test' : 'live'
  const made = await deps.keys.create({ name: 'bought with x402', mode }, tx)
  if ('ok' in made) throw new Error(`No key could be made: ${made.message}`)
  return made
}

function hashOf(idempotencyKey: string | null): string | null {
  if (idempotencyKey === null || idempotencyKey.length < PROOF_CHARACTERS) return null
  return createHash('sha256').update(idempotencyKey).digest('hex')
}
