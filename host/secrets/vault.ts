/**
 * Secrets at rest: AES-256-GCM under the gateway's master key. Every sealed text names its key by
 * a fingerprint, so that a wrong master key is told apart from a damaged text.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { assert, type Vault } from '#kernel'
import { VaultError } from '#kernel/host'
import { keptSecret } from './kept-secret.ts'

const VERSION = 'v1'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * The 32-byte master key: COINOP_MASTER_KEY (base64) when configured, else the file
 * `<dataDir>/master-key` (mode 0600), made at first boot. Throws when either is not 32 bytes.
 */
export function loadMasterKey(configured: string | null, dataDir: string): Buffer {
  if (configured !== null) return decodeMasterKey(configured, 'COINOP_MASTER_KEY')
  const kept = keptSecret(dataDir, 'master-key', () => randomBytes(32).toString('base64'))
  return decodeMasterKey(kept.text, kept.file)
}

function decodeMasterKey(text: string, origin: string): Buffer {
  const key = Buffer.from(text, 'base64')
  if (key.length !== 32) throw new Error(`${origin} must hold 32 bytes in base64`)
  return key
}

/** Seals to `v1.<key fingerprint>.<iv, ciphertext and tag in base64url>`; see VaultError. */
export function createVault(masterKey: Buffer): Vault {
  const fingerprint = createHash('sha256')
    .update('coinop master key')
    .update(masterKey)
    .digest('hex')
    .slice(0, 8)
  const header = `${VERSION}.${fingerprint}`
  return {
    derive(info, bytes) {
      assert(info !== '', 'a secret is derived for something')
      return new Uint8Array(hkdfSync('sha256', masterKey, new Uint8Array(), info, bytes))
    },
    async seal(plaintext) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', masterKey, iv).setAAD(Buffer.from(header))
      const sealed = [iv, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return `${header}.${Buffer.concat(sealed).toString('base64url')}`
    },
    async open(sealed) {
      const [version, sealedUnder, payload] = sealed.split('.')
      if (version !== VERSION || payload === undefined) throw new VaultError('not a sealed text')
      if (sealedUnder !== fingerprint) {
        throw new VaultError(
          `sealed under master key ${sealedUnder}, but this gateway has master key ${fingerprint}`,
        )
      }
      const bytes = Buffer.from(payload, 'base64url')
      if (bytes.length < IV_BYTES + TAG_BYTES) throw new VaultError('sealed text is too short')
      const decipher = createDecipheriv('aes-256-gcm', masterKey, bytes.subarray(0, IV_BYTES))
        .setAAD(Buffer.from(header))
        .setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        const body = bytes.subarray(IV_BYTES, -TAG_BYTES)
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
      } catch (cause) {
        throw new VaultError('sealed text was altered', { cause })
      }
    },
  }
}
