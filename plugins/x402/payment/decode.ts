/**
 * Reads a payment from the headers or MCP `_meta` of a call, and its signed part: the EIP-3009
 * authorization of `exact` in both versions, the Permit2 authorization of `exact` and `upto` in
 * version 2. Everything here is text work on input of untrusted callers: bounded, strict about every
 * member, and a refusal names the place that is wrong.
 */
import { parseErc6492Signature, type Hex } from 'viem'
import { isBrief, isObject, parseJson } from '#kernel'
import { decodeVoucher } from './channel-decode.ts'
import { SCHEME } from './channel.ts'
import type { Problem } from './problem.ts'
import {
  bad,
  Reader,
  type Bad,
  type Members,
  type Payment,
  type PaymentRequirements,
  type Authorization3009,
  type AuthorizationPermit2,
  type Signed,
  type SignedTransaction,
} from './wire.ts'

/** Bun refuses requests with more than 16 KiB of headers. The objects of MCP get no more room. */
const MAX_ENCODED_CHARACTERS = 16_384
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
const IDENTIFIER = /^[A-Za-z0-9_-]{16,128}$/

export type Decoded = { ok: true; payment: Payment } | { ok: false; problem: Problem }

/** The payment found at `place`: base64 of JSON, or on MCP the object itself. */
export function decodePayment(place: string, value: unknown): Decoded {
  const read = typeof value === 'string' ? decodeText(place, value) : { ok: true as const, value }
  if (!read.ok) return read
  if (!isObject(read.value)) return bad(place, 'must be a JSON object')
  // An object of MCP is as long as its message may be, and is kept and passed on. What holds many
  // values is not written out just to be measured.
  const isTooLong =
    typeof value !== 'string' &&
    (!isBrief(value) || JSON.stringify(value).length > MAX_ENCODED_CHARACTERS)
  if (isTooLong) return bad(place, `must not be longer than ${MAX_ENCODED_CHARACTERS} characters`)
  const payment = read.value
  if (payment['x402Version'] === 2) return decodeV2(payment)
  if (payment['x402Version'] === 1) return decodeV1(payment)
  return bad('x402Version', 'must be 1 or 2', 'invalid_x402_version')
}

function decodeText(
  place: string,
  text: string,
): { ok: true; value: unknown } | { ok: false; problem: Problem } {
  if (text.length > MAX_ENCODED_CHARACTERS) {
    return bad(place, `must not be longer than ${MAX_ENCODED_CHARACTERS} characters`)
  }
  if (text === '' || text.length % 4 !== 0 || !BASE64.test(text)) {
    return bad(place, 'must be padded standard base64')
  }
  const parsed = parseJson(Buffer.from(text, 'base64'))
  return parsed.ok ? parsed : bad(place, 'must be base64 of a JSON object')
}

function decodeV2(payment: Members): Decoded {
  const { accepted, extensions } = payment
  if (!isObject(accepted)) return bad('accepted', 'must be the offer that is paid')
  if (typeof accepted['scheme'] !== 'string') return bad('accepted.scheme', 'must be a string')
  if (typeof accepted['network'] !== 'string') return bad('accepted.network', 'must be a string')
  for (const name of ['amount', 'asset', 'payTo']) {
    if (typeof accepted[name] !== 'string') return bad(`accepted.${name}`, 'must be a string')
  }
  const read = isSolana(accepted['network'])
    ? decodeTransaction(payment['payload'])
    : accepted['scheme'] === SCHEME
      ? decodeVoucher(payment['payload'])
      : decodePayload(payment['payload'], 2, accepted['scheme'])
  if (!read.ok) return read
  const identified = identifierOf(extensions)
  if (!identified.ok) return identified
  return {
    ok: true,
    payment: {
      version: 2,
      scheme: accepted['scheme'],
      network: accepted['network'],
      accepted: accepted as unknown as PaymentRequirements,
      ...read.signed,
      echoed: {
        ...(payment['resource'] !== undefined && { resource: payment['resource'] }),
        ...(extensions !== undefined && { extensions }),
      },
      identifier: identified.identifier,
    },
  }
}

function decodeV1(payment: Members): Decoded {
  const { scheme, network } = payment
  if (typeof scheme !== 'string') return bad('scheme', 'must be a string')
  if (typeof network !== 'string') return bad('network', 'must be a string')
  const read = isSolana(network)
    ? decodeTransaction(payment['payload'])
    : decodePayload(payment['payload'], 1, scheme)
  if (!read.ok) return read
  return {
    ok: true,
    payment: {
      version: 1,
      scheme,
      network,
      accepted: null,
      ...read.signed,
      echoed: {},
      identifier: null,
    },
  }
}

/** `extensions['payment-identifier'].info.id`, which shares the Idempotency-Key store. */
function identifierOf(
  extensions: unknown,
): { ok: true; identifier: string | null } | { ok: false; problem: Problem } {
  if (!isObject(extensions)) return { ok: true, identifier: null }
  const extension = extensions['payment-identifier']
  const info = isObject(extension) ? extension['info'] : undefined
  const id = isObject(info) ? info['id'] : undefined
  if (id === undefined || id === null) return { ok: true, identifier: null }
  if (typeof id === 'string' && IDENTIFIER.test(id)) return { ok: true, identifier: id }
  return bad(
    'extensions.payment-identifier.info.id',
    'must be 16 to 128 characters of [A-Za-z0-9_-]',
    'invalid_payment_identifier',
  )
}

/** A transaction of Solana has at most 1,232 bytes. */
const MAX_TRANSACTION_CHARACTERS = 1644
/** A smart wallet's signature may be long; 65 bytes is the usual one. */
const MAX_SIGNATURE_CHARACTERS = 4098
const SIGNATURE = /^0x(?:[0-9a-fA-F]{2})+$/

type Read = {
  ok: true
  signed:
    | { method: 'eip3009'; authorization: Authorization3009 }
    | { method: 'permit2'; authorization: AuthorizationPermit2 }
}

/** Whether a network is Solana, by its CAIP-2 text or its name of version 1 ('solana', 'solana-devnet'). */
function isSolana(network: string): boolean {
  return /^solana(?:$|[:-])/.test(network)
}

/** `payload` of a payment on Solana; what is in the transaction is read by its entry. */
function decodeTransaction(payload: unknown): { ok: true; signed: SignedTransaction } | Bad {
  const transaction = isObject(payload) ? payload['transaction'] : undefined
  const isText =
    typeof transaction === 'string' &&
    transaction !== '' &&
    transaction.length <= MAX_TRANSACTION_CHARACTERS &&
    transaction.length % 4 === 0 &&
    BASE64.test(transaction)
  return isText
    ? { ok: true, signed: { method: 'svm', transaction } }
    : bad('payload.transaction', 'must be padded standard base64 of a transaction')
}

/** `payload` of a payment on an EVM network; `scheme` and `version` are those of the payment around it. */
export function decodePayload(
  payload: unknown,
  version: 1 | 2,
  scheme: string,
): { ok: true; signed: Signed } | Bad {
  if (!isObject(payload)) return bad('payload', 'must be an object')
  const isPermit2 = payload['permit2Authorization'] !== undefined
  if (isPermit2 && version === 1) {
    return bad(
      'payload.permit2Authorization',
      'is not accepted here: version 1 signs EIP-3009',
      'unsupported_payload_type',
    )
  }
  const signature = signatureIn(payload)
  if (signature === null) {
    const reason = isPermit2 ? 'invalid_permit2_signature' : 'invalid_exact_evm_signature'
    return bad('payload.signature', 'must be 0x and hex digits', reason)
  }
  const read = isPermit2
    ? permit2Of(payload['permit2Authorization'], scheme)
    : eip3009Of(payload['authorization'])
  return read.ok ? { ok: true, signed: { ...read.signed, signature } } : read
}

/**
 * The signature as the payer's account takes it. Some clients wrap that of a wallet in how the wallet is
 * deployed, whether it is or not (ERC-6492); tokens know nothing of that.
 */
function signatureIn({ signature }: Members): Hex | null {
  if (!isSignature(signature)) return null
  try {
    const { signature: own } = parseErc6492Signature(signature)
    return isSignature(own) ? own : null
  } catch {
    // It ends as a wrapped one does, and is none.
    return null
  }
}

function isSignature(value: unknown): value is Hex {
  return (
    typeof value === 'string' && value.length <= MAX_SIGNATURE_CHARACTERS && SIGNATURE.test(value)
  )
}

function eip3009Of(given: unknown): Read | Bad {
  const reader = new Reader('payload.authorization', given)
  const authorization: Authorization3009 = {
    from: reader.address('from'),
    to: reader.address('to'),
    nonce: reader.bytes32('nonce'),
    value: reader.uint('value'),
    validAfter: reader.uint('validAfter'),
    validBefore: reader.uint('validBefore'),
  }
  return reader.problem ?? { ok: true, signed: { method: 'eip3009', authorization } }
}

function permit2Of(given: unknown, scheme: string): Read | Bad {
  const reader = new Reader('payload.permit2Authorization', given)
  const permitted = reader.inner('permitted')
  const witness = reader.inner('witness')
  const authorization: AuthorizationPermit2 = {
    from: reader.address('from'),
    token: permitted.address('token'),
    value: permitted.uint('amount'),
    spender: reader.address('spender'),
    nonce: `0x${reader.uint('nonce').toString(16).padStart(64, '0')}`,
    validBefore: reader.uint('deadline'),
    to: witness.address('to'),
    facilitator: scheme === 'upto' ? witness.address('facilitator') : null,
    validAfter: witness.uint('validAfter'),
  }
  const wrong = reader.problem ?? permitted.problem ?? witness.problem
  return wrong ?? { ok: true, signed: { method: 'permit2', authorization } }
}
