/**
 * Which ways to pay are offered besides the main one: Permit2 where something can settle it, and
 * `upto` by a facilitator that lists it or by our own signer. Found out at boot and now and then in
 * the background, never while a caller waits; what is not offered any more is still taken for a while.
 */
import type { Address } from 'viem'
import { type Background, type Logger, repeat, within } from '#kernel'
import type { Asset } from '../terms/asset.ts'
import type { EvmOffers, PaymentKind } from './offers.ts'
import type { Permit2Scheme } from '../payment/permit2.ts'
import type { Chain } from '../chain/chain.ts'
import type { OwnSigner } from '../chain/signer.ts'
import type { Supported } from '../settle/supported.ts'
import { SPONSORINGS } from '../payment/sponsoring.ts'

export interface SupportedKindsOptions {
  asset: Asset
  offers: EvmOffers
  facilitators: readonly Supported[]
  /** Settles by itself. */
  own: OwnSigner | null
  chain: Chain | null
  log: Logger
  /** Pause between looks. */
  refreshEveryMs?: number
  /** A facilitator or a node that is slow delays the start no longer than this. */
  firstLookMs?: number
}

const PERMIT2: PaymentKind = { scheme: 'exact', method: 'permit2' }
const uptoBy = (facilitator: Address): PaymentKind => ({
  scheme: 'upto',
  method: 'permit2',
  facilitator,
})
const REFRESH_EVERY_MS = 300_000
/** A facilitator that did not answer when it was last asked is asked so many times as often. */
const ROUNDS_PER_LOOK = 10
const FIRST_LOOK_MS = 2000

export class SupportedKinds {
  readonly #options: SupportedKindsOptions
  /** Contracts do not go away: what was found once is not asked for again. */
  readonly #deployed = new Set<Permit2Scheme>()
  /** Whom `upto` offers name now. */
  #named: Address | null = null
  #task: Background | null = null

  constructor(options: SupportedKindsOptions) {
    this.#options = options
  }

  /** Looks for the first time and goes on in the background; waits a moment for that first look. */
  async start(): Promise<void> {
    const { refreshEveryMs = REFRESH_EVERY_MS, log } = this.#options
    await this.#firstLook()
    let rounds = 0
    const everyMs = refreshEveryMs / ROUNDS_PER_LOOK
    this.#task = repeat({ name: 'x402 supportedKinds', everyMs, log }, async () => {
      if (++rounds % ROUNDS_PER_LOOK === 0) return this.refresh()
      const silent = this.#options.facilitators.filter(({ trouble }) => trouble !== null)
      if (silent.length === 0) return
      await Promise.all(silent.map((facilitator) => facilitator.refresh()))
      this.#offer()
    })
  }

  async #firstLook(): Promise<void> {
    const { firstLookMs = FIRST_LOOK_MS } = this.#options
    await within(this.refresh(), firstLookMs, () => {})
  }

  /** Facilitators that did not answer when they were last asked, each with its name and the reason. */
  troubles(): string[] {
    return this.#options.facilitators
      .map(({ trouble }) => trouble)
      .filter((trouble) => trouble !== null)
  }

  async stop(): Promise<void> {
    await this.#task?.stop()
  }

  /** One look at all facilitators and the chain. Never throws. */
  async refresh(): Promise<void> {
    await Promise.all([
      this.#lookFor('exact'),
      this.#lookFor('upto'),
      ...this.#options.facilitators.map((facilitator) => facilitator.refresh()),
    ])
    this.#offer()
  }

  /** Offers what is known to be settled. */
  #offer(): void {
    const { asset, offers, facilitators, own, log } = this.#options
    const lists = facilitators.flatMap(({ heard }) =>
      heard !== null && heard.upto !== null ? [{ upto: heard.upto, signers: heard.signers }] : [],
    )
    if (own && this.#deployed.has('upto')) lists.push({ upto: own.address, signers: [own.address] })
    const [first] = lists
    // A facilitator of many addresses may name another each time: one is as good as the other.
    this.#named = first?.signers.find((signer) => signer === this.#named) ?? first?.upto ?? null
    const sponsorings = SPONSORINGS.filter((name) =>
      facilitators.some(({ heard }) => heard?.sponsorings.includes(name)),
    )
    const hasPermit2 =
      lists.length > 0 || sponsorings.length > 0 || (own !== null && this.#deployed.has('exact'))
    const offered: PaymentKind[] = [
      ...(hasPermit2 && asset.method === 'eip3009' ? [PERMIT2] : []),
      ...(this.#named === null ? [] : [uptoBy(this.#named)]),
    ]
    const taken = lists.flatMap(({ signers }) => signers.map(uptoBy))
    if (offers.offerKinds(offered, taken, sponsorings))
      log.info({ offered }, 'more ways to pay by x402 are offered')
  }

  /** Whether our own node has the contracts; without its answer nothing is known. */
  async #lookFor(scheme: Permit2Scheme): Promise<void> {
    const { chain } = this.#options
    if (chain === null || this.#deployed.has(scheme)) return
    const isDeployed = await chain.permit2.isDeployed(scheme).catch(() => false)
    if (isDeployed) this.#deployed.add(scheme)
  }
}
