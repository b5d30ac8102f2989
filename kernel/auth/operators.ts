/** Who may use admin routes: the holder of the admin token, and the operators that plugins know. */
import { fail, type Failure } from '../errors.ts'
import type { Logger } from '../log/logger.ts'
import { REASONS } from '../reasons.ts'
import type { CredentialSource } from './credential-source.ts'
import { bearerOf } from './tokens.ts'

/** What an operator may do, each with all that the ones before it may: look, change, appoint. */
export const OPERATOR_ROLES = ['read', 'operate', 'owner'] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

export interface OperatorIdentity {
  name: string
  role: OperatorRole
}

/** Operators with tokens of their own, while the product is mounted. */
export interface OperatorDirectory {
  /** Who presents this bearer; null: nobody known. */
  identify(bearer: string): Promise<OperatorIdentity | null>
}

/** The holder of the admin token. */
export const OWNER: OperatorIdentity = Object.freeze({ name: 'ADMIN_TOKEN', role: 'owner' })

export class Operators {
  readonly #requireAdmin: (source: CredentialSource, clientAddress: string) => Failure | null
  readonly #isAdmin: (bearer: string) => boolean
  readonly #log: Pick<Logger, 'error'>
  #directories: readonly OperatorDirectory[] = []
  /** Those that could not be asked when they were last asked. */
  #failing = new WeakSet<OperatorDirectory>()

  constructor(
    gate: {
      requireAdmin(source: CredentialSource, clientAddress: string): Failure | null
      isAdmin(bearer: string): boolean
    },
    log: Pick<Logger, 'error'>,
  ) {
    this.#requireAdmin = gate.requireAdmin
    this.#isAdmin = gate.isAdmin
    this.#log = log
  }

  set(directories: readonly OperatorDirectory[]): void {
    this.#directories = directories
  }

  /** Who asks; else 401, 429 after too many wrong bearers of an address, 503 when it cannot be told. */
  async identify(
    source: CredentialSource,
    clientAddress: string,
  ): Promise<{ ok: true; operator: OperatorIdentity } | Failure> {
    const bearer = bearerOf(source.header('authorization'))
    if (bearer !== null && bearer !== '') {
      if (this.#isAdmin(bearer)) return { ok: true, operator: OWNER }
      for (const directory of this.#directories) {
        try {
          const operator = await directory.identify(bearer)
          this.#failing.delete(directory)
          if (operator) return { ok: true, operator }
        } catch (error) {
          // Anybody can send bearers while the database is away: one line until it is back.
          if (!this.#failing.has(directory))
            this.#log.error({ err: error }, 'operators cannot be read')
          this.#failing.add(directory)
          return fail('INTERNAL_ERROR', 'Operators cannot be checked at this moment', {
            status: 503,
            headers: { 'retry-after': '1' },
          })
        }
      }
    }
    return this.#requireAdmin(source, clientAddress) ?? { ok: true, operator: OWNER }
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
