/**
 * Reads the transaction of a payment on Tempo (type 0x76; the fields as `TxEnvelopeTempo` of ox has
 * them): one call of a TIP-20 token's `transferWithMemo`, which the payer signed and pays the fee of.
 * Whatever else a transaction of this type can hold is refused, and so is any encoding but the
 * canonical one: its hash is then the one by which the network knows it.
 */
import { fromRlp, keccak256, toRlp, type Hex } from 'viem'

/** What is in such a transaction; addresses in lower case. */
export interface TempoTransfer {
  chainId: number
  token: Hex
  to: Hex
  amount: bigint
  /** 32 bytes. */
  memo: Hex
  /** The call itself. */
  data: Hex
  /** Seconds since 1970; null: not said. */
  validBefore: bigint | null
  validAfter: bigint | null
  /** In which token its payer pays the fee; null: in the one that the account prefers. */
  feeToken: Hex | null
  /** What the payer signed. */
  digest: Hex
  /** 65 bytes of secp256k1. */
  signature: Hex
  /** Of the whole transaction, by which the network knows it. */
  hash: Hex
}

export type ReadTransfer =
  | { ok: true; transfer: TempoTransfer }
  /** `what` completes 'The transaction …'. */
  | { ok: false; what: string }

/**
 * Nonces under this key are used once and expire with the transaction (TIP-1009). The nonce itself only
 * tells transactions apart that are otherwise the same (TIP-1106); older clients and networks have 0.
 */
const EXPIRING: Hex = `0x${'ff'.repeat(32)}`
const MOST_NONCE = 2n ** 64n - 1n
/** `transferWithMemo(address,uint256,bytes32)`. */
const TRANSFER_WITH_MEMO = '0x95777d59'
/** The selector and three words. */
const CALL_CHARACTERS = 2 + 8 + 3 * 64
const ADDRESS_PAD = '0'.repeat(24)
/** One transfer and its signature are 270 bytes. */
const MAX_CHARACTERS = 2048
/** Fields before the signature. */
const SIGNED_FIELDS = 13

type Rlp = Hex | readonly Rlp[]

/** The transfer in a signed transaction, or why it is not accepted. */
export function readTempoTransfer(text: string): ReadTransfer {
  if (text.length > MAX_CHARACTERS || !/^0x76(?:[0-9a-f]{2})+$/.test(text)) {
    return not('is not of type 0x76, in hex digits of lower case')
  }
  const fields = fieldsOf(text)
  if (fields === null) return not('is not encoded canonically')
  if (fields.length !== SIGNED_FIELDS + 1) return not('authorizes a key, or is not signed')
  const [
    chainId,
    ,
    ,
    ,
    calls,
    accessList,
    nonceKey,
    nonce,
    before,
    after,
    feeToken,
    feePayer,
    keys,
  ] = fields
  const signature = fields[SIGNED_FIELDS]
  if (typeof signature !== 'string' || signature.length !== 132) {
    return not('is not signed by the key of its account itself (secp256k1)')
  }
  if (feePayer !== '0x') return not('leaves its fee to somebody else')
  if (!isEmptyList(accessList) || !isEmptyList(keys)) return not('has more than a transfer in it')
  if (nonceKey !== EXPIRING) return not('has no expiring nonce')
  if (!isNonce(nonce)) return not('has a malformed nonce')
  if (!Array.isArray(calls) || calls.length !== 1) return not('must make one call')
  const [token, value, data] = calls[0] as readonly Rlp[]
  if (!isAddress(token) || value !== '0x' || !isTransfer(data)) {
    return not('must call transferWithMemo of the token')
  }
  if (feeToken !== '0x' && !isAddress(feeToken)) return not('has a malformed fee token')
  const chain = numberIn(chainId)
  const times = [numberIn(before), numberIn(after)]
  if (chain === null || chain > BigInt(Number.MAX_SAFE_INTEGER)) return not('has no chain')
  const body = `0x76${toRlp(fields.slice(0, SIGNED_FIELDS) as Hex[]).slice(2)}` as const
  return {
    ok: true,
    transfer: {
      chainId: Number(chain),
      token,
      to: `0x${wordOf(data, 0).slice(24)}`,
      amount: BigInt(`0x${wordOf(data, 1)}`),
      memo: `0x${wordOf(data, 2)}`,
      data,
      validBefore: times[0] ?? null,
      validAfter: times[1] ?? null,
      feeToken: feeToken === '0x' ? null : (feeToken as Hex),
      digest: keccak256(body),
      signature: signature as Hex,
      hash: keccak256(text as Hex),
    },
  }
}

/** Null when the text is not the one encoding of its fields. */
function fieldsOf(text: string): readonly Rlp[] | null {
  const encoded = `0x${text.slice(4)}` as const
  try {
    const fields = fromRlp(encoded, 'hex') as Rlp
    // Integers and lengths have one form each, and nothing follows the list.
    return Array.isArray(fields) && toRlp(fields as never) === encoded ? fields : null
  } catch {
    return null
  }
}

function isEmptyList(field: Rlp | undefined): boolean {
  return Array.isArray(field) && field.length === 0
}

function isAddress(field: Rlp | undefined): field is Hex {
  return typeof field === 'string' && field.length === 42
}

function isTransfer(field: Rlp | undefined): field is Hex {
  return (
    typeof field === 'string' &&
    field.length === CALL_CHARACTERS &&
    field.startsWith(TRANSFER_WITH_MEMO) &&
    wordOf(field, 0).startsWith(ADDRESS_PAD)
  )
}

/** An argument of a call, as 64 hex digits. */
function wordOf(data: Hex, at: number): string {
  return data.slice(10 + 64 * at, 74 + 64 * at)
}

function isNonce(field: Rlp | undefined): boolean {
  if (field === '0x') return true
  const nonce = numberIn(field)
  return nonce !== null && nonce <= MOST_NONCE
}

/** Null for an absent number, and for one with leading zeros. */
function numberIn(field: Rlp | undefined): bigint | null {
  if (typeof field !== 'string' || field === '0x' || field.startsWith('0x00')) return null
  return BigInt(field)
}

const not = (what: string): ReadTransfer => ({ ok: false, what })
