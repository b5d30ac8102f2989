/**
 * Who pays the network's fee, as offers name it: the first facilitator that can be asked and lists
 * `exact` on this network, else the gateway's own sponsor. A payment names its fee payer for good, so
 * that whom an older offer named is still taken.
 */
import { isObject } from '#kernel'
import type { SupportedAnswer } from '../settle/supported.ts'
import { isSolanaAddress } from '../../shared/signing/base58.ts'

/** What one facilitator said (x402 v2 §7.3). */
interface Heard {
  /** Null: it does not settle on this network. */
  offered: string | null
  signers: readonly string[]
}

export interface FeePayerSource {
  /** Of a facilitator. */
  name: string
  ask(): Promise<SupportedAnswer>
}

const MOST_SIGNERS = 64

export interface FeePayersOrder {
  /** CAIP-2. */
  network: string
  /** Of our own sponsor. */
  own: string | null
  /** Who pays for a facilitator that lists the network and names nobody. */
  unlisted: string | null
  /** In order of preference. */
  facilitators: readonly FeePayerSource[]
}

export class FeePayers {
  readonly #order: FeePayersOrder
  readonly #heard = new Map<FeePayerSource, Heard>()
  readonly #troubles = new Map<FeePayerSource, string>()
  /** Of each facilitator, in every answer so far. */
  readonly #known = new Map<FeePayerSource, Set<string>>()
  #current: string | null = null

  constructor(order: FeePayersOrder) {
    this.#order = order
  }

  /** Whom offers name now; null where nobody is known to pay. */
  get current(): string | null {
    return this.#current
  }

  /** Why facilitators did not answer when they were last asked. */
  troubles(): string[] {
    return [...this.#troubles.values()]
  }

  /** Whether an offer may have named the fee payer. */
  knows(feePayer: string): boolean {
    return (
      feePayer === this.#order.own ||
      this.#order.facilitators.some((source) => this.isOf(source, feePayer))
    )
  }

  /** Whether it is one of the facilitator's. */
  isOf(source: FeePayerSource, feePayer: string): boolean {
    return this.#known.get(source)?.has(feePayer) ?? false
  }

  /** Asks all facilitators; who does not answer keeps what was heard before. Never throws. */
  async refresh(): Promise<void> {
    await Promise.all(this.#order.facilitators.map((source) => this.#refresh(source)))
  }

  /** Chooses anew among those that `isOpen`; true when offers name another than before. */
  choose(isOpen: (source: FeePayerSource | 'own') => boolean): boolean {
    const before = this.#current
    const able = this.#order.facilitators.filter(
      (source) => isOpen(source) && this.#heard.get(source)?.offered,
    )
    const [first] = able
    const heard = first && this.#heard.get(first)!
    // A facilitator of many keys may name another each time: one is as good as the other.
    const stays = heard?.signers.find((signer) => signer === before) ?? heard?.offered
    const own = this.#order.own !== null && isOpen('own') ? this.#order.own : null
    this.#current = stays ?? own
    return this.#current !== before
  }

  async #refresh(source: FeePayerSource): Promise<void> {
    const answer = await source.ask()
    if (!answer.ok) {
      this.#troubles.set(source, `${source.name}: ${answer.trouble}`)
      return
    }
    const heard = heardIn(answer.answer, this.#order)
    this.#heard.set(source, heard)
    const known = this.#known.get(source) ?? new Set()
    for (const key of [heard.offered, ...heard.signers]) if (key !== null) known.add(key)
    this.#known.set(source, known)
    if (heard.offered === null) {
      this.#troubles.set(source, `${source.name} names no fee payer for ${this.#order.network}`)
    } else {
      this.#troubles.delete(source)
    }
  }
}

/** Reads an untrusted answer; what it does not state is not supported. */
function heardIn(
  answer: unknown,
  { network, unlisted }: Pick<FeePayersOrder, 'network' | 'unlisted'>,
): Heard {
  const { kinds, signers } = membersOf(answer)
  const kind = listOf(kinds)
    .map(membersOf)
    .find(
      (one) => one['x402Version'] === 2 && one['scheme'] === 'exact' && one['network'] === network,
    )
  const offered = kind ? (keyOf(membersOf(kind['extra'])['feePayer']) ?? unlisted) : null
  const listed = membersOf(signers)
  const keys = [network, 'solana:*'].flatMap((place) => listOf(listed[place]).map(keyOf))
  return {
    offered,
    signers: [...new Set([offered, ...keys])].filter((key) => key !== null).slice(0, MOST_SIGNERS),
  }
}

function membersOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function keyOf(value: unknown): string | null {
  return typeof value === 'string' && isSolanaAddress(value) ? value : null
}
