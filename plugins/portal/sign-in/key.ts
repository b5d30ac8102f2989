/** Signing in with an API key. It is compared and forgotten. */
import { KERNEL_REASONS, type AccountKeys, type Accounts, type Caller, type Failure } from '#kernel'
import { notProven } from './proof.ts'

export interface KeyDeps {
  accounts: Pick<Accounts, 'ofKey'>
  accountKeys: Pick<AccountKeys, 'get'>
  caller: Pick<Caller, 'identify'>
}

/** The account and id of a key; else why it opens nothing. */
export async function keyProof(
  { accounts, caller }: KeyDeps,
  key: string,
  clientAddress: string,
): Promise<{ ok: true; accountId: string; keyId: string } | Failure> {
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) return notProven('This is not an API key of this gateway')
  const found = await caller.identify({
    header: (name) => (name === 'x-api-key' ? key : null),
    clientAddress,
  })
  if (!found.ok) {
    if (found.status !== 401) return found
    return notProven(
      found.details?.reason === KERNEL_REASONS.key_expired
        ? 'This API key has expired'
        : 'This is not an API key of this gateway, or it was revoked',
    )
  }
  const accountId = found.keyId === null ? null : await accounts.ofKey(found.keyId)
  if (found.keyId === null || accountId === null) {
    return notProven('This is not an API key of this gateway, or it was revoked')
  }
  return { ok: true, accountId, keyId: found.keyId }
}
