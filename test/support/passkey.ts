/** An authenticator without a device: makes a passkey and answers with it as WebAuthn level 3 says, attestation none. */
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

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
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

  /** The answer to the options of a registration. */
  created(ceremony: Ceremony): object {
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
    // CBOR of {fmt: "none", attStmt: {}, authData: data}.
    const head = Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex')
    return this.#answer({
      clientDataJSON: text(clientData('create', ceremony)),
      attestationObject: text(Buffer.concat([head, Buffer.from([data.length]), data])),
      transports: ['internal'],
    })
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
