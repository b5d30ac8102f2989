/**
 * Signed receipts (x402 extension offer-receipt, version 1, with members beside its schema): who paid
 * how much for what, and the hash of what was answered. They are compact JWS (RFC 7515) with EdDSA
 * (RFC 8037), the payload in canonical JSON (RFC 8785); with their Ed25519 keys (RFC 8032), and how these
 * are named for readers.
 */
import { createHash, createPrivateKey, createPublicKey, sign, hash } from 'node:crypto'
import type { PluginEnv, ReceiptFacts, ReceiptSigner, SignedReceipt } from '#kernel'
import { PAYMENTS, type Payments } from '../shared/payments/contract.ts'

export const RECEIPT_HEADER = 'Coinop-Receipt'
const HEADER_KEY = RECEIPT_HEADER.toLowerCase()
export const RECEIPT_META = 'coinop/receipt'
/** A longer address would make the header too long for many readers. */
const MAX_URL_CHARACTERS = 1024
/** How callers are identified by a key of their own (`ReceiptFacts.via`). */
const BY_KEY: ReadonlySet<string> = new Set(['key', 'jwt', 'service', 'skill'])
/** Prepaid credits are dollars (ISO 4217), counted in millionths. */
const CREDITS = { scheme: 'credits', asset: 'USD' } as const

/** The network of credits where no payments are mounted. */
const NO_NETWORK = 'credits:usd'

export interface SignerOptions {
  jws: JwsSigner
  /** CAIP-2 of the network that stands for credits, which are on none. */
  network(): string
  /** The wallet that an account belongs to; null: to none. */
  walletOf(accountId: string): Promise<string | null>
  /** Default: the clock of this machine. */
  now?(): Date
}

export class JwsReceiptSigner implements ReceiptSigner {
  readonly answerHeaders = [
    {
      name: RECEIPT_HEADER,
      description: 'Signed receipt of the charge (compact JWS; keys at /.well-known/did.json)',
    },
  ]
  readonly #options: SignerOptions

  constructor(options: SignerOptions) {
    this.#options = options
  }

  sign(facts: ReceiptFacts): SignedReceipt | Promise<SignedReceipt> {
    if (facts.payment) return this.#signed(facts, facts.payment)
    const { via, accountId } = facts
    if (via === null || BY_KEY.has(via) || accountId === null) return this.#ofCredits(facts, null)
    return this.#options.walletOf(accountId).then((wallet) => this.#ofCredits(facts, wallet))
  }

  #ofCredits(facts: ReceiptFacts, wallet: string | null): SignedReceipt {
    const { keyId, rail, chargedAtomic } = facts
    return this.#signed(facts, {
      ...CREDITS,
      network: this.#options.network(),
      payer: wallet ?? (keyId === null ? rail : `key:${keyId}`),
      amount: chargedAtomic.toString(),
    })
  }

  /** Its members stand in the order of their names, as the signature needs them. */
  #signed(facts: ReceiptFacts, payment: NonNullable<ReceiptFacts['payment']>): SignedReceipt {
    const { jws, now } = this.#options
    const { scheme, network, asset, payer, amount } = payment
    return shown(
      jws.sign({
        amount,
        asset,
        issuedAt: Math.floor((now?.() ?? new Date()).getTime() / 1000),
        network,
        payer,
        resourceUrl: shortened(facts.resourceUrl),
        responseHash: hashOf(facts.body),
        responseHashAlg: 'sha256',
        responseHashEncoding: 'raw',
        scheme,
        ...(facts.transaction !== null && { transaction: facts.transaction }),
        version: 1,
      }),
    )
  }

  keptIn(headers: Readonly<Record<string, string>>, sent: () => Uint8Array): SignedReceipt | null {
    const text = headers[HEADER_KEY]
    return text === undefined || hashIn(text) !== hashOf(sent()) ? null : shown(text)
  }
}

/** As receipts have it. */
function hashOf(body: Uint8Array): string {
  return `0x${hash('sha256', body, 'hex')}`
}

/** The hash in a receipt of our own; throws where it cannot be read. */
function hashIn(text: string): unknown {
  const payload = JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString())
  return payload.responseHash
}

function shown(text: string): SignedReceipt {
  return { text, headers: { [HEADER_KEY]: text }, meta: { [RECEIPT_META]: text } }
}

/** Without its query where it would be too long. */
function shortened(url: string): string {
  if (url.length <= MAX_URL_CHARACTERS) return url
  const path = url.split('?', 1)[0]!
  if (path.length > MAX_URL_CHARACTERS) throw new Error(`a path of ${path.length} characters`)
  return path
}

/** The first network of payments, open or closed, which stays the same while they are mounted. */
export function networkOfPayments(provided: PluginEnv['provided']): SignerOptions['network'] {
  const networks = new WeakMap<Payments, string>()
  return () => {
    const payments = provided<Payments>(PAYMENTS)
    if (payments === null) return NO_NETWORK
    const known = networks.get(payments)
    if (known !== undefined) return known
    const [first] = payments.networks()
    if (!first) return NO_NETWORK
    networks.set(payments, first.network)
    return first.network
  }
}

/** What precedes the 32 bytes of a seed in a DER private key (RFC 8410, section 7). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The public half (RFC 8037, section 2). */
export interface PublicJwk {
  kty: 'OKP'
  crv: 'Ed25519'
  /** Without it the published verifier of x402 refuses the key. */
  alg: 'EdDSA'
  /** Base64url. */
  x: string
}

export interface ReceiptKey {
  /** Of its DID URL: 'receipts-3141592653'. */
  fragment: string
  publicJwk: PublicJwk
  /**
   * Base64url of the signature of `text`. It takes this thread some 16 µs; to hand the text to another
   * thread and to take the signature back costs as much here, and the signature comes on top.
   */
  sign(text: string): string
}

/** The key of a seed of 32 bytes. */
export function keyOf(seed: Uint8Array): ReceiptKey {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PRIVATE_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  const publicJwk: PublicJwk = { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', x: x! }
  return {
    fragment: `receipts-${numberOf(publicJwk)}`,
    publicJwk,
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64url'),
  }
}

/**
 * The start of the key's thumbprint (RFC 7638). A place in a list would change when an older key
 * goes, and receipts signed before would name another key.
 */
function numberOf({ crv, kty, x }: PublicJwk): number {
  const text = JSON.stringify({ crv, kty, x })
  return createHash('sha256').update(text).digest().readUInt32BE(0)
}

/** A payload has one level, so its canonical form is that of its members in the order of their names. */
export type Payload = Readonly<Record<string, string | number>>

export class JwsSigner {
  readonly #key: ReceiptKey
  readonly #header: string

  constructor(did: string, key: ReceiptKey) {
    this.#key = key
    this.#header = base64url(JSON.stringify({ alg: 'EdDSA', kid: `${did}#${key.fragment}` }))
  }

  /** The compact JWS of a payload. */
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
