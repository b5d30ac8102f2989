/**
 * The Ed25519 key that signs service-account JWTs: made once per database, its private part sealed
 * under the master key. Opening it at boot also proves that this instance has the same master key
 * as the others, before anything is served.
 */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Vault } from '#kernel'
import { VaultError, type Database } from '#kernel/host'

export const JWT_ALGORITHM = 'EdDSA'

export interface SigningKey {
  kid: string
  privateKey: CryptoKey
  /** Every public key whose tokens may still be about. */
  publicJwks: JWK[]
}

interface SigningKeyRow {
  kid: string
  publicJwk: JWK
  sealed: string
  current: boolean
}

/** The database's signing key, made if there is none. Throws when this master key cannot open it. */
export async function openSigningKey(
  database: Pick<Database, 'sql'>,
  vault: Vault,
): Promise<SigningKey> {
  let rows = await loadRows(database)
  if (!rows.some((row) => row.current)) {
    await makeKey(database, vault)
    rows = await loadRows(database)
  }
  const current = rows.find((row) => row.current)
  if (!current) throw new Error('the signing key just made is not in the database')
  const privateJwk = JSON.parse(await openSealed(vault, current.sealed)) as JWK
  return {
    kid: current.kid,
    privateKey: (await importJWK(privateJwk, JWT_ALGORITHM)) as CryptoKey,
    publicJwks: rows.map((row) => row.publicJwk),
  }
}

async function loadRows(database: Pick<Database, 'sql'>): Promise<SigningKeyRow[]> {
  return database.sql<SigningKeyRow[]>`
    SELECT kid, public_jwk AS "publicJwk", private_jwk_sealed AS sealed, current
    FROM coinop.signing_key ORDER BY created_at DESC`
}

/** Of two instances that boot at once, one's key stays. */
async function makeKey(database: Pick<Database, 'sql'>, vault: Vault): Promise<void> {
  const pair = await generateKeyPair(JWT_ALGORITHM, { crv: 'Ed25519', extractable: true })
  const publicPart = await exportJWK(pair.publicKey)
  const kid = await calculateJwkThumbprint(publicPart)
  const publicJwk = { ...publicPart, kid, alg: JWT_ALGORITHM, use: 'sig' }
  const sealed = await vault.seal(JSON.stringify(await exportJWK(pair.privateKey)))
  await database.sql`
    INSERT INTO coinop.signing_key (kid, public_jwk, private_jwk_sealed)
    VALUES (${kid}, ${JSON.stringify(publicJwk)}::text::jsonb, ${sealed})
    ON CONFLICT DO NOTHING`
}

async function openSealed(vault: Vault, sealed: string): Promise<string> {
  try {
    return await vault.open(sealed)
  } catch (cause) {
    if (!(cause instanceof VaultError)) throw cause
    throw new VaultError(
      `The secrets in this database cannot be opened: ${cause.message}. Set COINOP_MASTER_KEY to ` +
        'the same value on every instance of one database; where none was set, it is the content ' +
        'of the file master-key in the DATA_DIR of the instance that ran first.',
      { cause },
    )
  }
}
