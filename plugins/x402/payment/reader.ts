/** Reads members of objects of untrusted callers; a refusal names the member that is wrong. */
import type { Address, Hex } from 'viem'
import { isObject } from '#kernel'
import { problem, type Problem } from './problem.ts'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const NONCE = /^0x[0-9a-fA-F]{64}$/
const KEY_SIGNATURE = /^0x[0-9a-fA-F]{130}$/
const DECIMAL = /^(?:0|[1-9]\d{0,77})$/
/** The numbers of an authorization are uint256. */
const TOO_LARGE = 2n ** 256n

export type Members = Record<string, unknown>
export interface Bad {
  ok: false
  problem: Problem
}

/** Reads members of one object and keeps the first that is wrong; what follows is not used then. */
export class Reader {
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

  uint(name: string, below = TOO_LARGE): bigint {
    const number = BigInt(this.#text(name, DECIMAL, 'must be a string of digits', '0'))
    if (number >= below) this.#wrong(name, `must be less than 2^${below.toString(2).length - 1}`)
    return number
  }

  integer(name: string, most: number): number {
    const value = this.#members[name]
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) {
      return value
    }
    this.#wrong(name, `must be a whole number of at most ${most}`)
    return 0
  }

  /** Of an account's own key: contracts sign at any length. */
  signature(name: string): Hex {
    return this.#text(name, KEY_SIGNATURE, 'must be 65 bytes in hex', '0x') as Hex
  }

  has(name: string): boolean {
    return this.#members[name] !== undefined
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
