/** What a buyer by payment asks for: an amount, and whose balance it fills. */
import { Type } from 'typebox'
import { fail, invalid, isObject, type Accounts, type Failure, type KeyDirectory } from '#kernel'
import { checkAmount, isKeyId, refusalOfAccount, refusalOfKey } from './order.ts'

export const PurchaseInput = Type.Object({
  amountUsd: Type.Number({ description: 'US dollars, whole cents' }),
  apiKeyId: Type.Optional(
    Type.String({
      description:
        'The key whose account is funded; without it, `wallet` and `accountId` a new one is made',
    }),
  ),
  wallet: Type.Optional(
    Type.Literal(true, {
      description:
        'The wallet that pays has the credits, and spends them by signing in: no key is made',
    }),
  ),
  accountId: Type.Optional(Type.String({ description: 'The account that is funded' })),
})

/** Whose balance a purchase fills. */
export type Recipient =
  | { to: 'new key' }
  | { to: 'key'; keyId: string }
  /** The wallet that pays: the payment says which, and never the body. */
  | { to: 'wallet' }
  | { to: 'account'; accountId: string }

export interface PurchaseOrder {
  amountUsd: number
  amountAtomic: bigint
  recipient: Recipient
  /** Why the recipient cannot have credits now, however they are paid; null: it can. */
  refusal: Failure | null
}

export interface OrderDeps {
  keys: KeyDirectory
  accounts: Pick<Accounts, 'get'>
  sandbox: boolean
  minimumAtomic: bigint
  /** Whether wallets can spend credits here. */
  walletsSignIn(): boolean
}

/** The order in the body of a purchase; a Failure for one that is no order. */
export async function readOrder(
  deps: OrderDeps,
  body: unknown,
): Promise<{ ok: true; order: PurchaseOrder } | Failure> {
  if (!isObject(body)) return invalid([{ path: '', message: 'must be a JSON object' }])
  const amount = checkAmount(body['amountUsd'], deps.minimumAtomic)
  if (!amount.ok) return amount
  const read = recipientOf(body)
  if (!read.ok) return read
  const { recipient } = read
  const refusal = await refusalOf(deps, recipient)
  const { amountAtomic } = amount
  const amountUsd = body['amountUsd'] as number
  return { ok: true, order: { amountUsd, amountAtomic, recipient, refusal } }
}

function recipientOf(
  body: Readonly<Record<string, unknown>>,
): { ok: true; recipient: Recipient } | Failure {
  const { apiKeyId = null, wallet = false, accountId = null } = body
  if (typeof wallet !== 'boolean') return wrong('/wallet', 'must be true')
  const named = [apiKeyId !== null, wallet, accountId !== null].filter(Boolean)
  if (named.length > 1) return wrong('', 'must name one of apiKeyId, wallet and accountId')
  if (wallet) return { ok: true, recipient: { to: 'wallet' } }
  if (accountId !== null) {
    if (typeof accountId !== 'string') return wrong('/accountId', 'must be the id of an account')
    return { ok: true, recipient: { to: 'account', accountId } }
  }
  if (apiKeyId === null) return { ok: true, recipient: { to: 'new key' } }
  if (!isKeyId(apiKeyId)) return wrong('/apiKeyId', 'must be the id of an API key')
  return { ok: true, recipient: { to: 'key', keyId: apiKeyId } }
}

async function refusalOf(
  { keys, accounts, sandbox, walletsSignIn }: OrderDeps,
  recipient: Recipient,
): Promise<Failure | null> {
  if (recipient.to === 'wallet' && !walletsSignIn())
    return wrong('/wallet', 'cannot be: wallets do not sign in here, so they could not spend it')
  if (recipient.to === 'key') return refusalOfKey(keys, recipient.keyId, sandbox)
  if (recipient.to === 'account') return refusalOfAccount(accounts, recipient.accountId, sandbox)
  return null
}

/** The owner whose account a wallet's purchase fills, or why its payment cannot be taken for that. */
export async function ownerOf(
  deps: { accounts: Pick<Accounts, 'get' | 'ofOwner'>; sandbox: boolean },
  payer: string | null,
): Promise<{ ok: true; owner: string } | Failure> {
  if (payer === null)
    return fail('UNSUPPORTED_FORMAT', 'This payment does not say which wallet made it')
  const known = await deps.accounts.ofOwner(payer, null)
  const refusal = known && (await refusalOfAccount(deps.accounts, known.accountId, deps.sandbox))
  return refusal ?? { ok: true, owner: payer }
}

const wrong = (path: string, message: string): Failure => invalid([{ path, message }])
