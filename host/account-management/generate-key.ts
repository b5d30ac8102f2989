/** New API keys. */
import { generate, hashSecret, type KeyMode } from '#kernel/host'

/** A new key: its plaintext (shown once), public prefix, public id, and the hash to store. */
export function generateKey(mode: KeyMode): {
  plaintext: string
  prefix: string
  publicId: string
  secretHash: Buffer
} {
  const { plaintext, prefix, publicId, secret } = generate('ck', mode)
  return { plaintext, prefix, publicId, secretHash: hashSecret(secret) }
}
