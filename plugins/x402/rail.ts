/**
 * The x402 rail: offer → decode, match, verify → claim → work → settle → answer. This file puts its
 * parts together and runs their life.
 */
import {
  assert,
  inSlices,
  repeat,
  within,
  type AccountCharge,
  type Authorization,
  type AuthorizeOutcome,
  type Background,
  type CaptureOutcome,
  type CredentialSource,
  type EarlyRailCall,
  type Failure,
  type Health,
  type Identity,
  type InspectOutcome,
  type Offer,
  type PrecheckOutcome,
  type Quote,
  type Rail,
  type RailCall,
  type RailCalls,
  type RailDocuments,
  type Receipt,
  type SignCharge,
  type SignedReceipt,
  type StoredAnswer,
} from '#kernel'
import { NOT_CHECKED, type Availability } from './availability.ts'
import { Calls } from './calls/calls.ts'
import { x402Calls } from './claims/calls-list.ts'
import { documentsOf, x402Shown } from './documents.ts'
import { PrepaidRequests } from './claims/prepaid-requests.ts'
import { refusedOffer } from './offers/challenge.ts'
import { Credentials, findPayment, inspected, type Presentation } from './calls/credential.ts'
import { settlementUnavailable } from './payment/problem.ts'
import { withSignedReceipt } from './payment/wire.ts'
import { buildRailParts, type RailParts, type X402Options } from './rail-parts.ts'
import type { SandboxChain } from './sandbox/sandbox.ts'
import { healthOf, statsOf, type X402Stats } from './status.ts'

const PURGE_SLICE = 5000
const PURGE_EVERY_MS = 600_000
/** Less than a plugin has for its start. */
const SANDBOX_WAIT_MS = 20_000

/** The parts of a rail whose settings make one. */
interface Parts {
  core: RailParts
  prepaid: PrepaidRequests
  credentials: Credentials
  calls: Calls
}

/** The options with what the sandbox's own chain gives to the main entry. */
function onSandbox(options: X402Options, chain: SandboxChain): X402Options {
  const [main, ...others] = options.entries
  if (main?.kind !== 'evm') return options
  const there = {
    ...main,
    payTo: main.payTo ?? chain.receivingAddress,
    rpcUrl: chain.rpcUrl,
    signerKey: main.signerKey ?? chain.signerKey,
  }
  return { ...options, entries: [there, ...others], chainRef: chain.ref }
}

/**
 * Closed (`available().ok` false, with the reason) until `start`, and afterwards when its settings
 * make no rail: nothing is offered then, and a payment is refused by 503.
 */
export class X402Rail implements Rail {
  readonly id = 'x402'
  readonly precedence = 10
  readonly keepsAnswers = true
  readonly title = x402Shown.title
  readonly requestHeaders = x402Shown.requestHeaders
  readonly answerHeaders = x402Shown.answerHeaders
  readonly calls: RailCalls
  readonly #options: X402Options
  /** Why there are no parts. */
  #closedBy = NOT_CHECKED
  readonly #housekeeping: Pick<Background, 'stop'>[] = []
  #parts: Parts | null = null
  #starting: Promise<void> = Promise.resolve()
  /** The opening by a sandbox chain that came late. */
  #opening: Promise<void> = Promise.resolve()
  #isStopped = false
  /** Authorizations whose calls are under way. */
  readonly #underWay = new Set<Authorization>()
  #idle: () => void = () => {}

  constructor(options: X402Options) {
    this.#options = options
    this.calls = x402Calls(options.db)
  }

  documents(): RailDocuments {
    const tokens = this.core?.entries.map(({ token }) => token) ?? []
    return documentsOf(tokens)
  }

  /** The parts for the routes; null until `start`, and when the settings leave the rail closed. */
  get core(): RailParts | null {
    return this.#parts?.core ?? null
  }

  /** The requests that were paid ahead; only while there is a `core`. */
  get prepaid(): PrepaidRequests {
    assert(this.#parts !== null, 'a rail with parts')
    return this.#parts.prepaid
  }

  /** Whether anything says what is to be taken; without it nothing is amiss while it is closed. */
  get isConfigured(): boolean {
    return this.#options.entries.length > 0
  }

  /** Checks, then the reconciler; resolves after the first round of checks. */
  start(): Promise<void> {
    this.#starting = this.#start()
    return this.#starting
  }

  async #start(): Promise<void> {
    const { log, sandboxChain, timing } = this.#options
    const coming = sandboxChain?.() ?? Promise.resolve(null)
    const chain = await within(
      coming,
      timing?.sandboxWaitMs ?? SANDBOX_WAIT_MS,
      () => 'late' as const,
    )
    if (chain !== 'late') return this.#open(chain)
    this.#closedBy = 'the sandbox chain is still starting'
    log.warn({}, 'the sandbox chain is still starting: x402 opens when it runs')
    void this.#openLate(coming)
  }

  async #openLate(coming: Promise<SandboxChain | null>): Promise<void> {
    const { log } = this.#options
    try {
      const chain = await coming
      if (this.#isStopped) return
      this.#opening = this.#open(chain)
      await this.#opening
      const open = this.available()
      if (open.ok)
        log.info({ wallet: chain?.testWallet.address }, 'the sandbox chain runs: x402 is open')
    } catch (error) {
      log.error({ err: error }, 'x402 did not open on the sandbox chain')
    }
  }

  async #open(chain: SandboxChain | null): Promise<void> {
    const { log } = this.#options
    const built = buildRailParts(chain ? onSandbox(this.#options, chain) : this.#options)
    if (!built.ok) {
      this.#closedBy = built.reason
      return
    }
    const { core } = built
    const prepaid = new PrepaidRequests(this.#options.signals, core.claims)
    this.#parts = {
      core,
      prepaid,
      credentials: new Credentials(core, prepaid),
      calls: new Calls(core, prepaid),
    }
    await Promise.all(core.all.map((entry) => entry.start()))
    if (core.chainRef !== null) {
      const gone = await core.claims.failOtherChains(core.chainRef)
      if (gone > 0) {
        log.warn({ claims: gone }, 'settlements of an earlier sandbox chain were given up')
      }
    }
    await prepaid.start()
    this.#housekeeping.push(
      core.leases.start(log),
      core.clock.follow('clock of x402 payments', log),
      repeat({ name: 'x402 claims', everyMs: PURGE_EVERY_MS, atOnce: true, log }, (stopping) =>
        inSlices((limit) => core.claims.purge(limit), PURGE_SLICE, stopping),
      ),
    )
  }

  /**
   * Waits for the calls under way, at most until `deadline`, and ends all background work; also that
   * of a start that is not over yet.
   */
  async stop(deadline: Date = new Date()): Promise<void> {
    this.#isStopped = true
    await this.#starting.catch(() => {})
    await this.#opening.catch(() => {})
    await this.#callsToEnd(deadline)
    const entries = this.#parts?.core.all ?? []
    const tasks = [...entries, ...this.#housekeeping.splice(0)]
    await Promise.all(tasks.map((task) => task.stop()))
    await this.#parts?.prepaid.stop()
  }

  health(): Health[] {
    return healthOf(this)
  }

  stats(): Promise<X402Stats> {
    return statsOf(this)
  }

  /** Open while one of its entries is. */
  available(): Availability {
    const { entries, closedBy } = this.#parts?.core ?? {}
    if (!entries) return { ok: false, reason: this.#closedBy }
    if (closedBy) return { ok: false, reason: closedBy }
    const reasons: string[] = []
    for (const entry of entries) {
      const open = entry.available()
      if (open.ok) return open
      reasons.push(entries.length === 1 ? open.reason : `${entry.name}: ${open.reason}`)
    }
    return { ok: false, reason: reasons.join('; ') }
  }

  presented(source: CredentialSource, identity: Identity | null, quote: Quote): boolean {
    return this.#parts
      ? this.#parts.credentials.isPresented(source, identity, quote)
      : findPayment(source) !== null
  }

  async precheck(call: EarlyRailCall, source: Presentation): Promise<PrecheckOutcome> {
    return this.#parts ? this.#parts.credentials.precheck(call, source) : this.#closed()
  }

  async inspect(call: EarlyRailCall, source: Presentation): Promise<InspectOutcome> {
    return this.#parts
      ? inspected(await this.#parts.credentials.read(call, source))
      : this.#closed()
  }

  /** Whether a call has claimed the payment before. */
  async isClaimed(call: EarlyRailCall, source: Presentation): Promise<boolean> {
    return (await this.#parts?.credentials.isClaimed(call, source)) ?? false
  }

  /** Those that another rail sold. */
  callsOf(rail: string): RailCalls {
    return x402Calls(this.#options.db, rail)
  }

  offer(quote: Quote, refusal?: Failure): Offer | null {
    const challenge = this.#parts?.core.offers.of(quote)
    if (!challenge || challenge.required.accepts.length === 0) return null
    return refusal ? refusedOffer(challenge, refusal) : challenge.offer
  }

  /** `rail` is the one that sells the call, where it is another. */
  async authorize(call: RailCall, source: Presentation, rail?: string): Promise<AuthorizeOutcome> {
    if (!this.#parts) return this.#closed()
    const { calls, credentials } = this.#parts
    const outcome = await calls.authorize(call, await credentials.read(call, source), rail)
    if (outcome.outcome === 'authorized') this.#underWay.add(outcome.authorization)
    return outcome
  }

  async capture(
    authorization: Authorization,
    amountAtomic: bigint,
    answer: StoredAnswer | null,
    _account?: AccountCharge,
    sign?: SignCharge,
  ): Promise<CaptureOutcome> {
    if (!this.#parts) return { ...this.#closed(), outcome: 'failed' }
    try {
      return await this.#parts.calls.capture(authorization, amountAtomic, answer, sign)
    } finally {
      this.#end(authorization)
    }
  }

  async keepReceipt(
    authorization: Authorization,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    await this.#parts?.calls.keepReceipt(authorization, headers)
  }

  showReceipt(receipt: Receipt, signed: SignedReceipt): Receipt {
    return withSignedReceipt(receipt, signed)
  }

  async undo(authorization: Authorization, reason: string): Promise<void> {
    await this.#parts?.calls.undo(authorization, reason)
  }

  async delivered(authorization: Authorization): Promise<void> {
    await this.#parts?.calls.delivered(authorization)
  }

  async release(authorization: Authorization, reason: string): Promise<void> {
    try {
      await this.#parts?.calls.release(authorization, reason)
    } finally {
      this.#end(authorization)
    }
  }

  /** 'open' without parts: a claim of earlier settings may be out, and must not run again. */
  async stateOf(holdId: string): Promise<'captured' | 'open' | 'none'> {
    return this.#parts ? this.#parts.calls.stateOf(holdId) : 'open'
  }

  #closed(): { outcome: 'refused'; failure: Failure; offer: false } {
    const open = this.available()
    const failure = settlementUnavailable(open.ok ? 'closed' : open.reason)
    return { outcome: 'refused', failure, offer: false }
  }

  #end(authorization: Authorization): void {
    this.#underWay.delete(authorization)
    if (this.#underWay.size === 0) this.#idle()
  }

  async #callsToEnd(deadline: Date): Promise<void> {
    if (this.#underWay.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#idle = resolve
    const timer = setTimeout(resolve, Math.max(0, deadline.getTime() - Date.now()))
    await promise
    clearTimeout(timer)
  }
}
