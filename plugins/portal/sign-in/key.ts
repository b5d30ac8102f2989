/** Signing in with an API key. It is compared and forgotten. */
import type { AccountKeys, Accounts, Caller, Failure } from '#kernel'
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
): Promise<{ ok: true; accountId: string; keyId: string } | Failure> {
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) return notProven('This is not an API key of this gateway')
  const found = await caller.identify({ header: (name) => (name === 'x-api-key' ? key : null) })
  if (!found.ok)
    return found.status === 401
      ? notProven('This is not an API key of this gateway, or it was revoked')
      : found
  const accountId = found.keyId === null ? null : await accounts.ofKey(found.keyId)
  if (found.keyId === null || accountId === null) {
    return notProven('This is not an API key of this gateway, or it was revoked')
  }
  return { ok: true, accountId, keyId: found.keyId }
}
