/**
 * Passkeys (WebAuthn level 3): discoverable, with user verification, without attestation. The library
 * is loaded when somebody uses one: it takes 26 MB.
 */
import { isObject, type PluginDb } from '#kernel'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Site } from '../site.ts'
import type { NonceKind, Nonces } from './nonces.ts'
import { notProven, type Proof } from './proof.ts'

export interface PasskeyDeps {
  db: PluginDb
  site: Site & { passkeyHost: string }
  nonces: Nonces
  operatorName: string
}

export interface Passkey {
  id: string
  name: string
  createdAt: Date
  usedAt: Date | null
}

/** What registering found: `save` keeps it for the account that it then belongs to. */
export type NewPasskey = {
  id: string
  publicKey: string
  counter: number
  transports: readonly string[]
}

export const PASSKEYS_MAX = 20
const TIMEOUT_MS = 5 * 60_000
/** Of WebAuthn level 3, and 'cable', as browsers called 'hybrid' before. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
/** Passkeys have short ids; the names of sign-ins hold no more. */
const ID = /^[A-Za-z0-9_-]{1,350}$/

/** Options for the browser's `get`; the challenge is good once, for this browser. */
export async function signInOptions(
  { site, nonces }: PasskeyDeps,
  visitor: string,
): Promise<object> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = await generateAuthenticationOptions({
    rpID: site.passkeyHost,
    userVerification: 'required',
    timeout: TIMEOUT_MS,
  })
  await nonces.keep('passkey', visitor, options.challenge)
  return options
}

/** Whose passkey answered; its counter is kept. */
export async function passkeyProof(
  deps: PasskeyDeps,
  visitor: string | null,
  answer: unknown,
): Promise<Proof> {
  const { db } = deps
  if (!isAnswer(answer)) return notProven('This is not the answer of a passkey')
  const [known] = await db.query<{
    publicKey: string
    counter: bigint
    transports: string[]
    name: string
  }>(`SELECT public_key AS "publicKey", counter, transports, name FROM passkey WHERE id = $1`, [
    answer.id,
  ])
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  if (!known) {
    return notProven('This passkey is not known here; it may have been removed')
  }
  const verified = await verifyAuthenticationResponse({
    response: answer as unknown as AuthenticationResponseJSON,
    ...expected(deps, 'passkey', visitor),
    credential: {
      id: answer.id,
      publicKey: new Uint8Array(Buffer.from(known.publicKey, 'base64url')),
      counter: Number(known.counter),
    },
  }).catch(() => null)
  if (!verified?.verified) return notProven('The passkey’s answer does not hold: try again')
  // Of a passkey and its clone, which answer with one counter at the same moment, one gets in.
  const counted = await db.query(
    `UPDATE passkey SET counter = $2, used_at = now()
     WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING 1`,
    [answer.id, BigInt(verified.authenticationInfo.newCounter)],
  )
  if (counted.length === 0) return notProven('The passkey’s answer does not hold: try again')
  return { ok: true, subject: `passkey:${answer.id}`, name: known.name }
}

/** Options for the browser's `create`. */
export async function registrationOptions(
  { db, site, nonces, operatorName }: PasskeyDeps,
  visitor: string,
  { accountId, userName }: { accountId: string; userName: string },
): Promise<object> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const known = await passkeysOf(db, accountId)
  const options = await generateRegistrationOptions({
    rpName: operatorName,
    rpID: site.passkeyHost,
    userID: new TextEncoder().encode(accountId),
    userName,
    userDisplayName: userName,
    attestationType: 'none',
    timeout: TIMEOUT_MS,
    excludeCredentials: known.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await nonces.keep('new_passkey', visitor, options.challenge)
  return options
}

/** The passkey that an authenticator made, or null when its answer does not hold. */
export async function registeredPasskey(
  deps: PasskeyDeps,
  visitor: string | null,
  answer: unknown,
): Promise<NewPasskey | null> {
  if (!isAnswer(answer)) return null
  const response = answer as unknown as RegistrationResponseJSON
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  if (!(await hasNoCertificates(response).catch(() => false))) return null
  const verified = await verifyRegistrationResponse({
    response,
    ...expected(deps, 'new_passkey', visitor),
  }).catch(() => null)
  if (!verified?.verified) return null
  const { id, publicKey, counter, transports } = verified.registrationInfo.credential
  return {
    id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    // The browser's word, which nothing has looked at.
    transports: Array.isArray(transports)
      ? TRANSPORTS.filter((one) => transports.includes(one))
      : [],
  }
}

/**
 * Whether there is no attestation, as was asked for, or one of the passkey's own. The library would follow
 * the certificates of others, and fetch what these name, from whatever address that is.
 */
async function hasNoCertificates({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
  const format = attestation.get('fmt')
  const isOwn = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined
  return format === 'none' || isOwn
}

/** What both ceremonies must show: a challenge made here for this browser, our origin, a person. */
function expected({ site, nonces }: PasskeyDeps, kind: NonceKind, visitor: string | null) {
  return {
    expectedChallenge: async (challenge: string) =>
      visitor !== null && (await nonces.take(kind, visitor, challenge)),
    expectedOrigin: site.origin,
    expectedRPID: site.passkeyHost,
    requireUserVerification: true,
  }
}

/** Thrown to roll back a passkey that would be one more than an account may have. */
export class TooManyPasskeys extends Error {}

/**
 * Keeps a passkey whose sign-in was added in the same transaction. A row of the same id is what is
 * left where the operator took that sign-in away. Throws TooManyPasskeys.
 */
export async function savePasskey(
  tx: Pick<PluginDb, 'query'>,
  accountId: string,
  name: string,
  { id, publicKey, counter, transports }: NewPasskey,
): Promise<void> {
  // Several browsers may have been offered the last place: they are counted one after the other.
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`passkeys ${accountId}`])
  const others = await tx.query('SELECT FROM passkey WHERE account_id = $1 AND id <> $2', [
    accountId,
    id,
  ])
  if (others.length >= PASSKEYS_MAX) throw new TooManyPasskeys()
  await tx.query(
    `INSERT INTO passkey (id, account_id, name, public_key, counter, transports)
     VALUES ($1, $2, $3, $4, $5, ARRAY(SELECT jsonb_array_elements_text($6::text::jsonb)))
     ON CONFLICT (id) DO UPDATE SET account_id = $2, name = $3, public_key = $4, counter = $5,
       transports = EXCLUDED.transports, created_at = now(), used_at = NULL`,
    [id, accountId, name, publicKey, BigInt(counter), JSON.stringify(transports)],
  )
}

export function passkeysOf(db: PluginDb, accountId: string): Promise<Passkey[]> {
  return db.query<Passkey>(
    `SELECT id, name, created_at AS "createdAt", used_at AS "usedAt" FROM passkey
     WHERE account_id = $1 ORDER BY created_at LIMIT ${PASSKEYS_MAX}`,
    [accountId],
  )
}

export async function removePasskey(
  tx: Pick<PluginDb, 'query'>,
  accountId: string,
  id: string,
): Promise<void> {
  await tx.query('DELETE FROM passkey WHERE account_id = $1 AND id = $2', [accountId, id])
}

function isAnswer(answer: unknown): answer is { id: string } {
  return isObject(answer) && typeof answer['id'] === 'string' && ID.test(answer['id'])
}
