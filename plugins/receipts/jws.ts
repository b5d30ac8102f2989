/** Compact JWS (RFC 7515) with EdDSA (RFC 8037), its payload in canonical JSON (RFC 8785). */
import type { ReceiptKey } from './keys.ts'

/** A payload has one level, so its canonical form is that of its members in the order of their names. */
export type Payload = Readonly<Record<string, string | number>>

export class JwsSigner {
  readonly #key: ReceiptKey
  readonly #header: string

  constructor(did: string, key: ReceiptKey) {
    this.#key = key
    this.#header = base64url(JSON.stringify({ alg: 'EdDSA', kid: `${did}#${key.fragment}` }))
  }

  sign(payload: Payload): string {
    const signed = `${this.#header}.${base64url(canonical(payload))}`
    return `${signed}.${this.#key.sign(signed)}`
  }
}

function canonical(payload: Payload): string {
  const names = Object.keys(payload)
  const isSorted = names.every((name, at) => at === 0 || names[at - 1]! < name)
  // Texts and whole numbers are written as RFC 8785 wants them.
  if (isSorted) return JSON.stringify(payload)
  return JSON.stringify(Object.fromEntries(names.sort().map((name) => [name, payload[name]])))
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}
