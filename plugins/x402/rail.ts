/**
 * The x402 rail of the kernel's contract (decisions 6): offer → decode, match, verify → claim →
 * work → settle → answer. This file puts its parts together and runs their life.
 */
import type { Health, Rail } from '#kernel'
import { Calls } from './claims/calls.ts'
import { refusedOffer } from './offers/challenge.ts'
import { buildCore, type Core, type X402Options } from './rail-parts.ts'
import { Credentials, inspected } from './payment/credential.ts'
import { findPayment } from './payment/decode.ts'
import { Gate } from './availability.ts'
import { x402Shown } from './documents.ts'
import { PrepaidRequests } from './claims/prepaid-requests.ts'
import { settlementUnavailable } from './payment/problem.ts'
import { healthOf, statsOf, type X402Stats } from './status.ts'

export interface X402Rail extends Rail {
  /** The parts for the routes; null when the configuration leaves the rail closed. */
  readonly core: Core | null
  readonly prepaid: PrepaidRequests
  /** Boot checks, then the reconciler; resolves after the first round of checks. */
  start(): Promise<void>
  /** Resolves when no settlement of the reconciler is under way. */
  stop(): Promise<void>
  health(): Health[]
  stats(): Promise<X402Stats>
}

/** The rail over the given options; closed (`available().ok` false, with the reason) until `start`. */
export function x402Rail(options: X402Options): X402Rail {
  const { log, signals } = options
  const built = buildCore(options)
  const core = built.ok ? built.core : null
  const gate = new Gate({ built, hasFacilitators: options.facilitators.length > 0, log })
  const prepaid = new PrepaidRequests(signals, core?.claims ?? null)
  const lifecycle = {
    core,
    prepaid,
    health: () => healthOf(core, gate),
    stats: () => statsOf(core, gate),
    async start() {
      if (!core) return
      await Promise.all([gate.check(), core.abilities.start()])
      if (core.chainRef !== null) {
        const gone = await core.claims.failOtherChains(core.chainRef)
        if (gone > 0) {
          log.warn({ claims: gone }, 'settlements of an earlier sandbox chain were given up')
        }
      }
      await prepaid.start()
      core.reconciler.start()
    },
    async stop() {
      gate.stop()
      await Promise.all([core?.reconciler.stop(), core?.abilities.stop()])
      await prepaid.stop()
    },
  }
  return { ...(core ? openRail(core, gate, prepaid) : closedRail(gate)), ...lifecycle }
}

function openRail(core: Core, gate: Gate, prepaid: PrepaidRequests): Rail {
  const credentials = new Credentials(core, prepaid)
  const calls = new Calls(core, gate, prepaid)
  return {
    id: 'x402',
    ...x402Shown,
    precedence: 10,
    keepsAnswers: true,
    available: () => gate.available(),
    presented: (source, identity, quote) => credentials.isPresented(source, identity, quote),
    precheck: (call, source) => credentials.precheck(call, source),
    inspect: async (call, source) => inspected(await credentials.read(call, source)),
    offer(quote, refusal) {
      const challenge = core.offers.of(quote)
      if (challenge.required.accepts.length === 0) return null
      return refusal ? refusedOffer(challenge, refusal) : challenge.offer
    },
    authorize: async (call, source) => calls.authorize(call, await credentials.read(call, source)),
    capture: (authorization, amountAtomic, answer) =>
      calls.capture(authorization, amountAtomic, answer),
    undo: (authorization, reason) => calls.undo(authorization, reason),
    delivered: (authorization) => calls.delivered(authorization),
    release: (authorization, reason) => calls.release(authorization, reason),
    stateOf: (holdId) => calls.stateOf(holdId),
  }
}

/** What is left when the settings make no rail: nothing is offered, and a payment is refused by 503. */
function closedRail(gate: Gate): Rail {
  const available = () => gate.available()
  const refusal = () => {
    const open = gate.available()
    const failure = settlementUnavailable(open.ok ? 'closed' : open.reason)
    return { outcome: 'refused' as const, failure, offer: false }
  }
  return {
    id: 'x402',
    ...x402Shown,
    precedence: 10,
    keepsAnswers: true,
    available,
    presented: (source) => findPayment(source) !== null,
    precheck: async () => refusal(),
    inspect: async () => refusal(),
    offer: () => null,
    authorize: async () => refusal(),
    capture: async () => ({ ...refusal(), outcome: 'failed' }),
    release: async () => {},
    // A claim of earlier settings may still be out: an Idempotency-Key on it must not run again.
    stateOf: async () => 'open',
  }
}
