/** An authenticator without a device: makes a passkey and answers with it as WebAuthn level 3 says. */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

const PRESENT = 0x01
const VERIFIED = 0x04
const ATTESTED = 0x40

/** Whom an answer is for, and what its authenticator saw. */
export interface Ceremony {
  challenge: string
  origin: string
  /** Signatures so far; 0 of authenticators that count none. */
  counter: number
  rpId?: string
  /** Whether the authenticator knew its person; default true. */
  isVerified?: boolean
}

/** None, by the passkey's own key, or by whoever has this certificate (DER) in a format of this name. */
export type Attestation = 'own' | { format: string; certificate: Uint8Array }

/** The head of a CBOR item: its major type and its length. */
function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}
const word = (value: string): Buffer => Buffer.concat([head(3, value.length), Buffer.from(value)])
const bytes = (value: Uint8Array): Buffer => Buffer.concat([head(2, value.length), value])
const map = (...pairs: (readonly [string, Buffer])[]): Buffer =>
  Buffer.concat([head(5, pairs.length), ...pairs.flatMap(([name, value]) => [word(name), value])])
/** The COSE name of ES256: -7. */
const ES256 = Buffer.from([0x26])

const text = (value: Uint8Array): string => Buffer.from(value).toString('base64url')
const sha256 = (value: string | Uint8Array): Buffer => createHash('sha256').update(value).digest()

function authenticatorData(
  { counter, rpId = 'localhost', isVerified = true }: Ceremony,
  attested?: Uint8Array,
): Buffer {
  const flags = PRESENT | (isVerified ? VERIFIED : 0) | (attested ? ATTESTED : 0)
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested ?? Buffer.alloc(0)])
}

const clientData = (type: 'create' | 'get', { challenge, origin }: Ceremony): Buffer =>
  Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin: false }))

export class SoftPasskey {
  readonly #id: Uint8Array
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  /** `id` is chosen by whoever makes the passkey, and may be that of another one. */
  constructor(id: string = text(randomBytes(32))) {
    this.#id = Buffer.from(id, 'base64url')
  }

  get id(): string {
    return text(this.#id)
  }

  /** The answer to the options of a registration; without attestation unless told. */
  created(
    ceremony: Ceremony,
    attestation?: Attestation,
    transports: unknown = ['internal'],
  ): object {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' })
    // A COSE key: EC2, ES256, P-256.
    const coseKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x!, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y!, 'base64url'),
    ])
    const size = Buffer.from([this.#id.length >> 8, this.#id.length & 255])
    const data = authenticatorData(
      ceremony,
      Buffer.concat([Buffer.alloc(16), size, this.#id, coseKey]),
    )
    const client = clientData('create', ceremony)
    const [format, statement] = this.#statement(Buffer.concat([data, sha256(client)]), attestation)
    return this.#answer({
      clientDataJSON: text(client),
      attestationObject: text(
        map(['fmt', word(format)], ['attStmt', statement], ['authData', bytes(data)]),
      ),
      transports,
    })
  }

  #statement(signed: Uint8Array, attestation?: Attestation): [format: string, statement: Buffer] {
    if (attestation === undefined) return ['none', map()]
    const signature = createSign('sha256').update(signed).sign(this.#keys.privateKey)
    const own = [
      ['alg', ES256],
      ['sig', bytes(signature)],
    ] as const
    if (attestation === 'own') return ['packed', map(...own)]
    const chain = Buffer.concat([head(4, 1), bytes(attestation.certificate)])
    return [attestation.format, map(...own, ['x5c', chain])]
  }

  /** The answer to the options of a sign-in. */
  signed(ceremony: Ceremony): object {
    const client = clientData('get', ceremony)
    const data = authenticatorData(ceremony)
    const signature = createSign('sha256')
      .update(Buffer.concat([data, sha256(client)]))
      .sign(this.#keys.privateKey)
    return this.#answer({
      clientDataJSON: text(client),
      authenticatorData: text(data),
      signature: text(signature),
    })
  }

  #answer(response: object): object {
    const { id } = this
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }
}
