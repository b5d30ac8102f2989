/** The ways of mounted plugins to say who calls, beside API keys. */
import { fail, type Failure } from '../errors.ts'
import type { Logger } from '../log/logger.ts'
import { withholdHeaders } from '../net/reserved-headers.ts'
import type {
  CallPlace,
  CredentialSource,
  Identifier,
  Identity,
  IdentityRefusal,
} from './contract.ts'

/** A key that a credential stands for; `takeOnce` refuses by 402. */
export interface FoundKey {
  keyId: string
  takeOnce?: Identity['takeOnce']
  via: Identity['via']
}

export class Identifiers {
  readonly #log: Pick<Logger, 'error'>
  #identifiers: readonly Identifier[] = []

  constructor(log: Pick<Logger, 'error'>) {
    this.#log = log
  }

  /** Replaces all of them in one step. The headers they read stay withheld from skills for good. */
  set(identifiers: readonly Identifier[]): void {
    const known = this.#identifiers
    const isSame =
      identifiers.length === known.length && identifiers.every((one, at) => one === known[at])
    if (isSame) return
    for (const { requestHeaders = [] } of identifiers) {
      withholdHeaders(requestHeaders.map(({ name }) => name))
    }
    this.#identifiers = [...identifiers]
  }

  /** Those that are mounted now; the same array until one comes or goes. */
  list(): readonly Identifier[] {
    return this.#identifiers
  }

  /** Whether one of them finds a credential of its own in the request. */
  presents(source: CredentialSource): boolean {
    return this.#identifiers.some((one) => this.#isPresented(one, source))
  }

  /** The key that the first credential of the request stands for; null: none is there after all. */
  async identify(
    source: CredentialSource,
    place: CallPlace,
  ): Promise<{ ok: true; found: FoundKey | null } | IdentityRefusal> {
    for (const identifier of this.#identifiers) {
      if (!this.#isPresented(identifier, source)) continue
      const outcome = await identifier.identify(source, place)
      if (!outcome.ok) return outcome.offer ? unpaid(outcome.failure) : outcome.failure
      if (outcome.found === null) continue
      const { keyId, takeOnce } = outcome.found
      const via = identifier.via ?? 'plugin'
      return { ok: true, found: { keyId, via, ...(takeOnce && { takeOnce }) } }
    }
    return { ok: true, found: null }
  }

  /** One that throws presents nothing: what else the request brings is still judged. */
  #isPresented(identifier: Identifier, source: CredentialSource): boolean {
    const { requestHeaders = [] } = identifier
    if (requestHeaders.length > 0 && !hasPlaceFor(requestHeaders, source)) return false
    try {
      return identifier.presents(source)
    } catch (error) {
      this.#log.error({ err: error }, 'an identifier failed when it looked for its credential')
      return false
    }
  }
}

/** Whether a request brings one of the headers, or what may carry any credential. */
function hasPlaceFor(
  headers: NonNullable<Identifier['requestHeaders']>,
  source: CredentialSource,
): boolean {
  return (
    headers.some(({ name }) => source.header(name.toLowerCase()) !== null) ||
    source.header('authorization') !== null ||
    source.header('cookie') !== null ||
    (source.meta !== undefined && Object.keys(source.meta).length > 0)
  )
}

/**
 * The refusal of a credential as the 402 that offers to pay instead: clients that sign in by
 * themselves pay on a 402, and give any other status to their caller.
 */
export function unpaid(failure: Failure): IdentityRefusal {
  if (failure.code === 'PAYMENT_REQUIRED' || failure.code === 'PAYMENT_FAILED') {
    const { status: _, ...rest } = failure
    return { ...rest, offer: true }
  }
  const { message, details, headers } = failure
  const { 'www-authenticate': _, ...kept } = headers ?? {}
  return {
    ...fail('PAYMENT_REQUIRED', message, { headers: kept }),
    ...(details && { details }),
    offer: true,
  }
}
