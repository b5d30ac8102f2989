/**
 * What a facilitator says it settles (x402 v2 §7.3, GET /supported), as far as it decides what is
 * offered: the scheme `upto` on our network, and the addresses it settles from.
 */
import { getAddress, isAddress, type Address } from 'viem'
import { parseJson } from '#kernel'
import { isPermit2, type SignedPayment, schemeOf } from '../payment/payload.ts'
import { SPONSORINGS, type Sponsoring } from '../payment/sponsoring.ts'
import type { FacilitatorAuth } from './facilitator-auth.ts'
import { directFetch, limitedText, noAnswerText } from './endpoint-fetch.ts'

/** What one answer said. */
export interface Support {
  /** Whom `upto` offers name now; null without the scheme. */
  upto: Address | null
  /** All that it may settle from. */
  signers: readonly Address[]
  /** Approvals that it brings to the chain with a payment. */
  sponsorings: readonly Sponsoring[]
}

export interface SupportedOptions {
  url: string
  auth: FacilitatorAuth | null
  /** CAIP-2. */
  network: string
  /** The asset moves by Permit2 alone, so `exact` is settled by Permit2. */
  isPermit2Only: boolean
  timeoutMs?: number
}

const TIMEOUT_MS = 5000
const MOST_SIGNERS = 64

/** A facilitator's support as last heard, asked in the background only. */
export class Supported {
  readonly #options: SupportedOptions
  #heard: Support | null = null
  #trouble: string | null = null
  /** Of every answer so far: an older offer may name a signer that is no longer listed. */
  readonly #signers = new Set<Address>()
  #hasListedUpto = false
  readonly #sponsorings = new Set<Sponsoring>()

  constructor(options: SupportedOptions) {
    this.#options = options
  }

  /** Null until it answered once. */
  get heard(): Support | null {
    return this.#heard
  }

  /** Why the last request got no answer, with the facilitator's name; null when it got one. */
  get trouble(): string | null {
    return this.#trouble
  }

  /** Asks again; what was heard before stays when there is no answer. Never throws. */
  async refresh(): Promise<void> {
    const looked = await askSupported(this.#options)
    this.#trouble = looked.ok ? null : `${new URL(this.#options.url).host}: ${looked.trouble}`
    if (!looked.ok) return
    this.#heard = supportIn(looked.answer, this.#options.network)
    for (const signer of this.#heard.signers) this.#signers.add(signer)
    if (this.#heard.upto !== null) this.#hasListedUpto = true
    for (const name of this.#heard.sponsorings) this.#sponsorings.add(name)
  }

  /**
   * Whether it settles such a payment, as far as is known. An `upto` payment names who may settle it.
   * /supported does not say by which method `exact` is settled; one that lists `upto` knows Permit2, and so does one that brings approvals.
   */
  takes(payment: SignedPayment): boolean {
    if (this.#heard === null || !isPermit2(payment)) return true
    const { sponsoring } = payment
    if (sponsoring !== undefined && !this.#sponsorings.has(sponsoring)) return false
    if (schemeOf(payment) === 'exact') {
      return this.#options.isPermit2Only || this.#hasListedUpto || this.#sponsorings.size > 0
    }
    const { facilitator } = payment.payload.permit2Authorization.witness
    return facilitator !== undefined && this.#signers.has(getAddress(facilitator))
  }
}

export type SupportedAnswer = { ok: true; answer: unknown } | { ok: false; trouble: string }

/** What GET /supported of a facilitator answers, unread; never throws. */
export async function askSupported(facilitator: {
  url: string
  auth: FacilitatorAuth | null
  timeoutMs?: number
}): Promise<SupportedAnswer> {
  const { auth, timeoutMs = TIMEOUT_MS } = facilitator
  const url = new URL(`${facilitator.url.replace(/\/+$/, '')}/supported`)
  try {
    const response = await directFetch(url.href, {
      headers: { accept: 'application/json', ...(auth && (await auth(url, 'GET'))) },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await limitedText(response)
    if (!response.ok) return { ok: false, trouble: `/supported answers ${response.status}` }
    const parsed = text === null ? null : parseJson(text)
    return parsed?.ok
      ? { ok: true, answer: parsed.value }
      : { ok: false, trouble: '/supported is not JSON' }
  } catch (error) {
    return { ok: false, trouble: `/supported: ${noAnswerText(error, timeoutMs)}` }
  }
}

/** Reads an untrusted answer; what it does not state is not supported. */
function supportIn(answer: unknown, network: string): Support {
  const { kinds, signers, extensions } = membersOf(answer)
  const kind = listOf(kinds)
    .map(membersOf)
    .find(
      (candidate) =>
        candidate['x402Version'] === 2 &&
        candidate['scheme'] === 'upto' &&
        candidate['network'] === network,
    )
  const upto = addressOf(membersOf(kind?.['extra'])['facilitatorAddress'])
  const listed = membersOf(signers)
  const family = `${network.split(':')[0]}:*`
  const addresses = [
    upto,
    ...[network, family].flatMap((key) => listOf(listed[key]).map(addressOf)),
  ]
  const named = new Set(listOf(extensions))
  return {
    upto,
    sponsorings: SPONSORINGS.filter((name) => named.has(name)),
    signers: addresses.filter((address) => address !== null).slice(0, MOST_SIGNERS),
  }
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function addressOf(value: unknown): Address | null {
  return typeof value === 'string' && isAddress(value, { strict: false }) ? getAddress(value) : null
}
