/** Secrets of endpoints and destinations: their texts, keys, sealed form and rotation with grace. */
import { randomBytes } from 'node:crypto'
import { decodeBase64, signingKey, type Vault } from '#kernel'

/** A secret as a row keeps it: sealed, with the time it stops counting. */
export interface StoredSecret {
  sealed: string
  createdAt: string
  /** Null: the current one. */
  notAfter: string | null
}

const PREFIX = 'whsec_'
const MAX_SECRETS = 5

/** A new secret in the form of Standard Webhooks: `whsec_` and 32 bytes in base64. */
export function newSecret(): string {
  return PREFIX + randomBytes(32).toString('base64')
}

/** Keys to try for a Standard Webhooks sender: one that leaves the prefix out still means base64. */
export function verificationKeys(secret: string): Buffer[] {
  const key = signingKey(secret)
  const unprefixed = secret.startsWith(PREFIX) ? null : decodeBase64(secret)
  return [unprefixed, key].filter((candidate) => candidate !== null)
}

/** The rows of `secrets` after `secret` became the current one; the others count until `graceMs`. */
export async function withNewSecret(
  vault: Vault,
  secrets: readonly StoredSecret[],
  secret: string,
  graceMs: number,
  now: Date,
): Promise<StoredSecret[]> {
  const notAfter = new Date(now.getTime() + graceMs).toISOString()
  const older = secrets
    .filter((known) => isCurrent(known, now))
    .map((known) => ({
      ...known,
      notAfter: known.notAfter !== null && known.notAfter < notAfter ? known.notAfter : notAfter,
    }))
    .filter((known) => isCurrent(known, now))
  const current = {
    sealed: await vault.seal(secret),
    createdAt: now.toISOString(),
    notAfter: null,
  }
  return [current, ...older].slice(0, MAX_SECRETS)
}

/** The plaintexts that count now, the current one first. */
export async function openSecrets(
  vault: Vault,
  secrets: readonly StoredSecret[],
  now: Date,
): Promise<string[]> {
  const counting = secrets.filter((secret) => isCurrent(secret, now))
  return Promise.all(counting.map(({ sealed }) => vault.open(sealed)))
}

function isCurrent({ notAfter }: StoredSecret, now: Date): boolean {
  return notAfter === null || Date.parse(notAfter) > now.getTime()
}
