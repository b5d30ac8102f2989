/** The rail under the real meter, as a freshly started gateway has it, without its process. */
import type { PaymentRequired, PaymentRequirements } from '@x402/core/types'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Failure } from '../../../kernel/errors.ts'
import type { MeterCall, MeterOutcome } from '../../../kernel/metering/call.ts'
import type { MountedSkill } from '../../../kernel/plugins/catalog.ts'
import type { RailParts } from '../../../plugins/x402/rail-parts.ts'
import { SettleAhead } from '../../../plugins/x402/calls/settle-ahead.ts'
import type { X402Rail } from '../../../plugins/x402/rail.ts'
import { meterOver, mount } from '../metering.ts'
import { failureOf, refusalOf } from '../outcomes.ts'
import type { X402Ground } from './ground.ts'
import { startRail, type RailOptions } from './rail.ts'
import {
  offerIn,
  paidBy,
  requirementsIn,
  signPayment,
  signPermit2,
  type Bend,
  type Permit2Bend,
} from './payments.ts'

/** Twice the longest pause between two attempts to settle, of a chain that was too busy to answer. */
const SETTLED_WITHIN_MS = 120_000

export interface EchoSkill extends MountedSkill {
  /** How often its work ran. */
  runs: number
  /** What happens while the work runs. */
  meanwhile: (() => Promise<unknown>) | null
}

/** A skill that gives its input back as `echo`, and counts. */
export function echoSkill(
  options: Partial<Pick<MountedSkill, 'rails' | 'amountAtomic'>> & { id?: string } = {},
): EchoSkill {
  const { id = 't.work', rails = ['x402'], amountAtomic } = options
  const handler = async (_: unknown, input: unknown) => {
    skill.runs++
    await skill.meanwhile?.()
    return { ok: true as const, output: { echo: input } }
  }
  const mounted = mount(
    { id, handler },
    { rails, timeoutMs: 30_000, ...(amountAtomic && { amountAtomic }) },
  )
  const skill: EchoSkill = { ...mounted, runs: 0, meanwhile: null }
  return skill
}

export interface PayOptions extends Partial<MeterCall> {
  /** {a: 1} unless told. */
  input?: unknown
  skill?: MountedSkill
  /** The header that carries the payment. */
  header?: string
}
interface SignOptions {
  by?: PrivateKeyAccount
  skill?: MountedSkill
}
type Signed = Awaited<ReturnType<typeof signPayment>>
type SignedPermit2 = Awaited<ReturnType<typeof signPermit2>>

export interface X402Instance extends Awaited<ReturnType<typeof meterOver>> {
  rail: X402Rail
  /** The parts of the rail. */
  core: RailParts
  /** Where payments come before their calls. */
  desk: SettleAhead
  /** Runs a call without a payment header. */
  ask(skill?: MountedSkill, input?: unknown, overrides?: Partial<MeterCall>): Promise<MeterOutcome>
  /** What an unpaid call is told to pay. */
  challenge(skill?: MountedSkill): Promise<PaymentRequired>
  /** The first offer of the challenge. */
  asked(skill?: MountedSkill): Promise<PaymentRequirements>
  /** A payment by EIP-3009 for what is asked, of the ground's buyer unless told. */
  signed(bend?: Bend, options?: SignOptions): Promise<Signed>
  signedPermit2(
    scheme: 'exact' | 'upto',
    bend?: Permit2Bend,
    options?: SignOptions,
  ): Promise<SignedPermit2>
  pay(payment: unknown, options?: PayOptions): Promise<MeterOutcome>
  /** Pays until it is no longer told to wait; `everyWait` looks at each failure that says so. */
  comeBack(
    payment: unknown,
    options?: PayOptions & { everyWait?: (failure: Failure) => void },
  ): Promise<MeterOutcome>
}

export type InstanceOptions = RailOptions

/**
 * Opens instances over a ground that sell `sold` where a call names no other skill. The ground's
 * tallies count its runs if it counts them.
 */
export function x402Instances(ground: X402Ground, sold: MountedSkill) {
  if ('runs' in sold) ground.counts(sold as EchoSkill)
  return async (options: InstanceOptions = {}): Promise<X402Instance> => {
    const database = options.database ?? ground.database.db
    const meter = await meterOver(database)
    ground.closing(() => meter.close())
    const rail = await startRail(ground, { database, ...options })
    meter.rails.add(rail)
    const core = rail.core!

    const ask: X402Instance['ask'] = async (skill = sold, input = {}, overrides = {}) =>
      meter.meter.run(meter.call(skill, input, overrides))
    async function challenge(skill = sold): Promise<PaymentRequired> {
      const unpaid = refusalOf(await ask(skill))
      return unpaid.offers.find((offer) => offer.challenge)!.challenge as PaymentRequired
    }
    const asked = async (skill = sold) => requirementsIn(await challenge(skill))
    async function pay(payment: unknown, options: PayOptions = {}): Promise<MeterOutcome> {
      const { input = { a: 1 }, skill, header, ...overrides } = options
      return ask(skill, input, { source: paidBy(payment, header), ...overrides })
    }
    return {
      ...meter,
      rail,
      core,
      desk: new SettleAhead(core, rail.prepaid),
      ask,
      challenge,
      asked,
      signed: async (bend = {}, { by = ground.buyer, skill = sold } = {}) =>
        signPayment(by, await asked(skill), bend),
      signedPermit2: async (scheme, bend = {}, { by = ground.buyer, skill = sold } = {}) =>
        signPermit2(by, offerIn(await challenge(skill), scheme, 'permit2'), bend),
      pay,
      async comeBack(payment, { everyWait, ...options } = {}) {
        const until = Date.now() + SETTLED_WITHIN_MS
        while (Date.now() < until) {
          const outcome = await pay(payment, options)
          const failure = failureOf(outcome)
          if (failure?.retryable !== true) return outcome
          everyWait?.(failure)
          await Bun.sleep(50)
        }
        throw new Error('the settlement never ended')
      },
    }
  }
}
