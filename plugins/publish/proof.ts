/**
 * The key pair that proves to the MCP Registry whose domain it is: the private half stays in DATA_DIR
 * and is given to the registry's own publisher, the public half is served by the gateway.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where the registry looks, and the domain's owner shows the line. */
export const PROOF_PATH = '/.well-known/mcp-registry-auth'

/** Base64 of the 32 bytes of an Ed25519 public key. */
export const PUBLIC_KEY = /^[A-Za-z0-9+/]{43}=$/

export interface ProofKey {
  file: string
  /** Base64 of 32 bytes. */
  publicKey: string
  isNew: boolean
}

/**
 * The key of DATA_DIR, made there when it has none; only its owner may read the file. A kill or a full
 * disk leaves all of it or nothing: a registry is told one key, and half a file would be none for ever.
 */
export function proofKey(dataDir: string): ProofKey {
  const file = join(dataDir, 'mcp-registry-key.pem')
  const isNew = !existsSync(file)
  if (isNew) {
    const { privateKey } = generateKeyPairSync('ed25519')
    mkdirSync(dirname(file), { recursive: true })
    const draft = `${file}.${process.pid}`
    try {
      writeFileSync(draft, privateKey.export({ type: 'pkcs8', format: 'pem' }), {
        mode: 0o600,
        flush: true,
      })
      // It fails where another process has made the file meanwhile, which rename() would replace.
      linkSync(draft, file)
    } finally {
      rmSync(draft, { force: true })
    }
  }
  const publicKey = createPublicKey(createPrivateKey(readFileSync(file)))
  const { x } = publicKey.export({ format: 'jwk' })
  return { file, publicKey: Buffer.from(x!, 'base64url').toString('base64'), isNew }
}

/** The line that the registry reads, at PROOF_PATH or in a TXT record of the domain. */
export function proofLine(publicKey: string): string {
  return `v=MCPv1; k=ed25519; p=${publicKey}`
}
