/** What may be bought, and for which key or account: the same for every way to pay. */
import {
  fail,
  invalid,
  isAccountId,
  usdToAtomic,
  type Accounts,
  type Failure,
  type KeyDirectory,
} from '#kernel'

export const ATOMIC_PER_CENT = 10_000n
const MAX_USD_ATOMIC = 10_000_000_000n

/** Whether a text can name an API key at all; PostgreSQL refuses some others. */
export function isKeyId(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,64}$/.test(value)
}

/** Atomic units of a top-up in whole cents, at least the minimum. */
export function checkAmount(
  amountUsd: unknown,
  minimumAtomic: bigint,
): { ok: true; amountAtomic: bigint } | Failure {
  const refuse = (message: string): Failure => invalid([{ path: '/amountUsd', message }])
  const amount = usdToAtomic(amountUsd)
  if (!amount.ok) return refuse(amount.message)
  const { amountAtomic } = amount
  if (amountAtomic % ATOMIC_PER_CENT !== 0n) return refuse('must be whole cents')
  if (amountAtomic < minimumAtomic || amountAtomic === 0n)
    return refuse(`must be at least ${Number(minimumAtomic) / 1_000_000}`)
  if (amountAtomic > MAX_USD_ATOMIC) return refuse('must be at most 10000')
  return { ok: true, amountAtomic }
}

/**
 * Why the key cannot be funded: 404 when there is none, 400 when it is revoked or of the other mode;
 * null when it can. Money is taken before it can be credited, so this is asked first.
 */
export async function refusalOfKey(
  keys: KeyDirectory,
  keyId: string,
  sandbox: boolean,
): Promise<Failure | null> {
  const key = await keys.find(keyId)
  if (!key) return fail('INVALID_INPUT', 'No API key has this id', { status: 404 })
  if (key.revokedAt !== null) return invalid([{ path: '/apiKeyId', message: 'is revoked' }])
  if ((key.mode === 'test') === sandbox) return null
  return invalid([{ path: '/apiKeyId', message: otherMode('key', key.mode, sandbox) }])
}

/**
 * Why the account cannot be funded, as with a key. Anybody may pay for any account: an id says nothing
 * but that the account is there, and has 74 random bits, so that none is found by trying.
 */
export async function refusalOfAccount(
  accounts: Pick<Accounts, 'get'>,
  accountId: string,
  sandbox: boolean,
): Promise<Failure | null> {
  const account = isAccountId(accountId) ? await accounts.get(accountId) : null
  if (!account) return fail('INVALID_INPUT', 'No account has this id', { status: 404 })
  if (account.closedAt !== null) return invalid([{ path: '/accountId', message: 'is closed' }])
  if ((account.mode === 'test') === sandbox) return null
  return invalid([{ path: '/accountId', message: otherMode('account', account.mode, sandbox) }])
}

function otherMode(what: string, mode: 'live' | 'test', sandbox: boolean): string {
  return `is a ${mode} ${what}; this gateway sells ${sandbox ? 'test' : 'live'} credits`
}
