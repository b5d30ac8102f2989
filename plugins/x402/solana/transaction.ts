/**
 * Reads a Solana transaction of version 0 from its wire bytes. Everything is bounded: the network
 * takes no packet above 1,232 bytes, so nothing larger is looked at, and each length is checked
 * against what is left. What the runtime would refuse (repeated accounts, indexes out of range,
 * lengths in a longer form than needed, bytes behind the end) is refused here as well.
 */
import { encodeBase58 } from '../../shared/signing/base58.ts'

/** The largest transaction of the network: an IPv6 packet of 1,280 bytes without its headers. */
export const MAX_TRANSACTION_BYTES = 1232
export const SIGNATURE_BYTES = 64
const KEY_BYTES = 32
/** The first byte of a message of version 0; without the high bit it would be a legacy message. */
const VERSION_0 = 0x80

export interface Instruction {
  program: string
  /** Base58 keys, in the order of the instruction. */
  accounts: readonly string[]
  data: Uint8Array
}

export interface SolanaTransaction {
  /** One for each signer, in their order; an empty one is 64 zero bytes. */
  signatures: readonly Uint8Array[]
  /** What is signed. */
  message: Uint8Array
  /** Base58 keys of the signers; the first pays the network's fee. */
  signers: readonly string[]
  /** Base58. */
  blockhash: string
  instructions: readonly Instruction[]
  lookupTables: number
}

/** The transaction in `wire`, or what is wrong with it. */
export function readTransaction(
  wire: Uint8Array,
): { ok: true; transaction: SolanaTransaction } | { ok: false; detail: string } {
  if (wire.length > MAX_TRANSACTION_BYTES) {
    return { ok: false, detail: `has ${wire.length} bytes, more than ${MAX_TRANSACTION_BYTES}` }
  }
  const reader = new Reader(wire)
  try {
    return { ok: true, transaction: transactionFrom(reader) }
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, detail: error.message }
    throw error
  }
}

/** The wire bytes of a transaction of less than 128 signers, with this signature of its fee payer. */
export function writeTransaction(
  { signatures, message }: Pick<SolanaTransaction, 'signatures' | 'message'>,
  feePayerSignature: Uint8Array,
): Buffer {
  const others = signatures.slice(1)
  return Buffer.concat([Buffer.of(signatures.length), feePayerSignature, ...others, message])
}

function transactionFrom(reader: Reader): SolanaTransaction {
  const signatures = reader.many('signatures', () => reader.bytes(SIGNATURE_BYTES))
  const message = reader.rest()
  if (reader.byte() !== VERSION_0) throw new Malformed('is not a message of version 0')
  const signerCount = reader.byte()
  const readonlySigners = reader.byte()
  const readonlyOthers = reader.byte()
  const keys = reader.many('accounts', () => encodeBase58(reader.bytes(KEY_BYTES)))
  if (signerCount === 0 || signerCount !== signatures.length) {
    throw new Malformed(`has ${signatures.length} signatures for ${signerCount} signers`)
  }
  // The fee payer signs and is writable.
  if (readonlySigners >= signerCount || signerCount + readonlyOthers > keys.length) {
    throw new Malformed('has a header that contradicts its accounts')
  }
  if (new Set(keys).size !== keys.length) throw new Malformed('names an account twice')
  const blockhash = encodeBase58(reader.bytes(KEY_BYTES))
  const indexed = reader.many('instructions', () => ({
    program: reader.byte(),
    accounts: [...reader.bytes(reader.length())],
    data: reader.bytes(reader.length()),
  }))
  const lookupTables = reader.many('lookup tables', () => {
    reader.bytes(KEY_BYTES)
    reader.bytes(reader.length())
    reader.bytes(reader.length())
  }).length
  if (!reader.isAtEnd) throw new Malformed('has bytes behind its end')
  const instructions = indexed.map(({ program, accounts, data }) => ({
    // The fee payer cannot be called.
    program: keyAt(keys, program === 0 ? -1 : program, lookupTables),
    accounts: accounts.map((index) => keyAt(keys, index, lookupTables)),
    data,
  }))
  const signers = keys.slice(0, signerCount)
  return { signatures, message, signers, blockhash, instructions, lookupTables }
}

/** Accounts of lookup tables follow the others; their keys are not in the transaction. */
function keyAt(keys: readonly string[], index: number, lookupTables: number): string {
  const key = keys[index]
  if (key !== undefined) return key
  if (index >= keys.length && lookupTables > 0) return ''
  throw new Malformed('names an account that it does not have')
}

class Malformed extends Error {}

class Reader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    // A Buffer would hand out views in place of copies.
    this.#bytes = Uint8Array.from(bytes)
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  byte(): number {
    const byte = this.#bytes[this.#at]
    if (byte === undefined) throw new Malformed('ends too early')
    this.#at++
    return byte
  }

  bytes(size: number): Uint8Array {
    const end = this.#at + size
    if (end > this.#bytes.length) throw new Malformed('ends too early')
    const bytes = this.#bytes.slice(this.#at, end)
    this.#at = end
    return bytes
  }

  /** A copy of all that is not read yet; reading goes on from here. */
  rest(): Uint8Array {
    return this.#bytes.slice(this.#at)
  }

  /** A length of one to three bytes with seven bits each, lowest first ("compact-u16"). */
  length(): number {
    let value = 0
    for (let shift = 0; shift <= 14; shift += 7) {
      const byte = this.byte()
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) {
        if (byte === 0 && shift > 0) throw new Malformed('writes a length longer than needed')
        return value
      }
    }
    throw new Malformed('has a length of more than three bytes')
  }

  many<T>(what: string, read: () => T): T[] {
    const count = this.length()
    // Nothing of which there may be many is shorter than two bytes.
    if (count > this.#bytes.length) throw new Malformed(`has more ${what} than bytes`)
    return Array.from({ length: count }, read)
  }
}
