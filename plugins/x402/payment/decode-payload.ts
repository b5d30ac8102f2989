/**
 * Reads the signed part of a payment: the EIP-3009 authorization of `exact` in both versions, and
 * the Permit2 authorization of `exact` and `upto` in version 2. Strict about every member.
 */
import type { Address, Hex } from 'viem'
import { isObject } from '#kernel'
import { problem, type Problem } from './problem.ts'
import type { Authorization3009, AuthorizationPermit2, Signed } from './wire.ts'

/** A smart wallet's signature may be long; 65 bytes is the usual one. */
const MAX_SIGNATURE_CHARACTERS = 4098
const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const NONCE = /^0x[0-9a-fA-F]{64}$/
const SIGNATURE = /^0x(?:[0-9a-fA-F]{2})+$/
const DECIMAL = /^(?:0|[1-9]\d{0,77})$/
/** The numbers of an authorization are uint256. */
const TOO_LARGE = 2n ** 256n

export type Members = Record<string, unknown>
export interface Bad {
  ok: false
  problem: Problem
}
type Read = { ok: true; signed: Signed }

/** `payload` of a payment; `scheme` and `version` are those of the payment around it. */
export function decodePayload(
  payload: unknown,
  version: 1 | 2,
  scheme: string,
): { ok: true; signed: Signed & { signature: Hex } } | Bad {
  if (!isObject(payload)) return bad('payload', 'must be an object')
  const isPermit2 = payload['permit2Authorization'] !== undefined
  if (isPermit2 && version === 1) {
    return bad(
      'payload.permit2Authorization',
      'is not accepted here: version 1 signs EIP-3009',
      'unsupported_payload_type',
    )
  }
  const { signature } = payload
  if (
    typeof signature !== 'string' ||
    signature.length > MAX_SIGNATURE_CHARACTERS ||
    !SIGNATURE.test(signature)
  ) {
    const reason = isPermit2 ? 'invalid_permit2_signature' : 'invalid_exact_evm_signature'
    return bad('payload.signature', 'must be 0x and hex digits', reason)
  }
  const read = isPermit2
    ? permit2Of(payload['permit2Authorization'], scheme)
    : eip3009Of(payload['authorization'])
  return read.ok ? { ok: true, signed: { ...read.signed, signature: signature as Hex } } : read
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

/** Reads members of one object and keeps the first that is wrong; what follows is not used then. */
class Reader {
  problem: Bad | null = null
  readonly #place: string
  readonly #members: Members

  constructor(place: string, given: unknown) {
    this.#place = place
    this.#members = isObject(given) ? given : {}
    if (!isObject(given)) this.problem = bad(place, 'must be an object')
  }

  inner(name: string): Reader {
    return new Reader(`${this.#place}.${name}`, this.#members[name])
  }

  address(name: string): Address {
    return this.#text(name, ADDRESS, 'must be an address', '0x').toLowerCase() as Address
  }

  bytes32(name: string): Hex {
    return this.#text(name, NONCE, 'must be 32 bytes in hex', '0x').toLowerCase() as Hex
  }

  uint(name: string): bigint {
    const number = BigInt(this.#text(name, DECIMAL, 'must be a string of digits', '0'))
    if (number >= TOO_LARGE) this.#wrong(name, 'must be less than 2^256')
    return number
  }

  #text(name: string, pattern: RegExp, expected: string, otherwise: string): string {
    const value = this.#members[name]
    if (typeof value === 'string' && pattern.test(value)) return value
    this.#wrong(name, expected)
    return otherwise
  }

  #wrong(name: string, expected: string): void {
    this.problem ??= bad(`${this.#place}.${name}`, expected)
  }
}

/** A refusal of a member; `expected` goes on after its name. */
export function bad(field: string, expected: string, reason = 'invalid_payload'): Bad {
  return { ok: false, problem: problem(reason, field, `${field} ${expected}`) }
}
