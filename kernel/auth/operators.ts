/**
 * Who may use admin routes: the holder of the admin token, and the operators that plugins know.
 * Also slows down guesses of the token.
 */
import { LRUCache } from 'lru-cache'
import { fail, unavailable, type Failure } from '../errors.ts'
import type { Logger } from '../log/logger.ts'
import { Seldom } from '../log/seldom.ts'
import { addressBlock } from '../net/address-block.ts'
import { REASONS } from '../reasons.ts'
import type { CredentialSource } from './credential-source.ts'
import { Gcra } from './gcra.ts'
import { bearerOf, isOfKeys, secretTester } from './tokens.ts'
import { unauthorized } from './unauthorized.ts'

/** What operators may do: look, change, appoint. Each role includes the ones before it. */
export const OPERATOR_ROLES = ['read', 'operate', 'owner'] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

export interface OperatorIdentity {
  name: string
  role: OperatorRole
}

/** A plugin's operators with their own tokens, while its product is mounted. */
export interface OperatorDirectory {
  /** The operator with this bearer token; null if unknown. */
  identify(bearer: string): Promise<OperatorIdentity | null>
}

/** The holder of the admin token. */
export const OWNER: OperatorIdentity = Object.freeze({ name: 'ADMIN_TOKEN', role: 'owner' })

/** Anybody can send bearers, so each kind of event is logged at most once in this time. */
const LINE_EVERY_MS = 60_000
/** Wrong bearers that an address may present in a burst; one more every FAILURE_REFILL_MS. */
const FAILURE_BURST = 10
const FAILURE_REFILL_MS = 6000
const ADDRESSES_MAX = 10_000

/**
 * Identifies operators by their bearers. Only failures are limited: an address that presented too
 * many wrong bearers gets 429 for further wrong ones until the refill. The right one always passes:
 * behind a reverse proxy the operator may share an address with everybody, and a token of at least
 * 32 characters cannot be guessed at any speed. A missing bearer is not a guess.
 */
export class Operators {
  readonly #isAdmin: (bearer: string) => boolean
  readonly #log: Pick<Logger, 'error' | 'warn'>
  readonly #nowMs: () => number
  #directories: readonly OperatorDirectory[] = []
  /** Directories that failed and have not identified anybody since. */
  readonly #failing = new WeakMap<OperatorDirectory, Seldom>()
  readonly #wrong: Seldom
  readonly #wrongOfAddress = new LRUCache<string, Gcra>({ max: ADDRESSES_MAX })

  /** A null `adminToken` matches no bearer. */
  constructor(
    adminToken: string | null,
    log: Pick<Logger, 'error' | 'warn'>,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#isAdmin = secretTester(adminToken)
    this.#log = log
    this.#nowMs = nowMs
    this.#wrong = new Seldom(LINE_EVERY_MS, nowMs)
  }

  set(directories: readonly OperatorDirectory[]): void {
    this.#directories = directories
  }

  /** The operator, or 401, 429 after too many wrong bearers of an address, 503 if unknown. */
  async identify(
    source: CredentialSource,
    clientAddress: string,
  ): Promise<{ ok: true; operator: OperatorIdentity } | Failure> {
    const bearer = bearerOf(source.header('authorization'))
    if (bearer === null || bearer === '') {
      return unauthorized('This route needs the admin token as Authorization: Bearer', {
        reason: REASONS.missing_admin_token,
      })
    }
    if (this.#isAdmin(bearer)) return { ok: true, operator: OWNER }
    for (const directory of this.#directories) {
      try {
        const operator = await directory.identify(bearer)
        // Null does not prove recovery: a directory may find nobody without asking the database.
        if (!operator) continue
        this.#failing.delete(directory)
        return { ok: true, operator }
      } catch (error) {
        const failing = this.#failing.get(directory) ?? new Seldom(LINE_EVERY_MS, this.#nowMs)
        this.#failing.set(directory, failing)
        if (failing.note() !== null) this.#log.error({ err: error }, 'operators cannot be read')
        return unavailable('Operators cannot be checked at this moment')
      }
    }
    // A customer's key is not a guess: public routes also ask for the operator.
    if (!isOfKeys(bearer)) this.#noteWrong(clientAddress)
    return this.#refuse(addressBlock(clientAddress))
  }

  /** Logs wrong tokens (revoked ones or guesses) with their count, never the token itself. */
  #noteWrong(clientAddress: string): void {
    const count = this.#wrong.note()
    if (count !== null)
      this.#log.warn({ count, clientAddress }, 'wrong tokens of operators were refused')
  }

  /** Counts a wrong bearer of the address. */
  #refuse(address: string): Failure {
    const counted = this.#wrongOfAddress.get(address) ?? new Gcra(FAILURE_REFILL_MS, FAILURE_BURST)
    this.#wrongOfAddress.set(address, counted)
    const nowMs = this.#nowMs()
    if (counted.take(nowMs))
      return unauthorized('The admin token is wrong', { reason: REASONS.invalid_admin_token })
    const retryAfterSeconds = Math.ceil(counted.waitMs(nowMs) / 1000)
    return fail('RATE_LIMITED', 'Too many wrong admin tokens from this address', {
      details: { limit: 'admin_failures', retryAfterSeconds },
      headers: { 'retry-after': String(retryAfterSeconds) },
    })
  }
}

/** Why an operator may not do what needs `role`; null when they may. */
export function roleRefusal(operator: OperatorIdentity, role: OperatorRole): Failure | null {
  if (OPERATOR_ROLES.indexOf(operator.role) >= OPERATOR_ROLES.indexOf(role)) return null
  return fail(
    'INVALID_INPUT',
    `This needs the role ${role}; ${operator.name} has ${operator.role}`,
    {
      status: 403,
      details: { reason: REASONS.role_too_low, role },
    },
  )
}
