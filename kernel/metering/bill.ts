/**
 * Bills finished work: the capture or what the skill took itself, with the receipt; and gives back
 * what was taken for a stream that broke off.
 */
import type { Logger } from '../log/logger.ts'
import type {
  Authorization,
  CaptureOutcome,
  Rail,
  Receipt,
  StoredAnswer,
} from '../rails/contract.ts'
import type { Identity } from '../auth/contract.ts'
import type { RailRegistry } from '../rails/registry.ts'
import { followed } from '../net/stream-end.ts'
import type { MeterOutcome } from './call.ts'
import type { Claim, IdempotencyStore } from './idempotency.ts'
import { finish, refusedBy, type Progress } from './call-outcome.ts'
import { billedAmount, type Worked } from './work.ts'

export interface BillOptions {
  rails: RailRegistry
  idempotency: IdempotencyStore
  log: Logger
}

/** Ends a call whose work succeeded. */
export class Biller {
  readonly #options: BillOptions
  /** Ids of skills that billed less than a rail took. */
  readonly #overcharging = new Set<string>()

  constructor(options: BillOptions) {
    this.#options = options
  }

  /** Takes what the work costs of the authorized amount; a free success gives all of it back. */
  async capture(
    progress: Progress,
    rail: Rail,
    authorization: Authorization,
    result: Worked,
    claim: Claim | null,
  ): Promise<MeterOutcome> {
    const amountAtomic = billedAmount(result, authorization.amountAtomic)
    if (amountAtomic === 0n) {
      await rail.release(authorization, 'free')
      const balance = await shownBalance(rail, progress.identity)
      const receipt = { rail: rail.id, chargedAtomic: 0n, ledgerId: null, headers: {}, ...balance }
      return finish(progress, result, receipt)
    }
    const answer = result.kind === 'answer' ? result.answer : null
    if (claim && answer) await this.#options.idempotency.prepare(claim, answer)
    const captured = await captureFor(result, rail, authorization, amountAtomic, answer)
    if (captured.outcome === 'failed') {
      const refused = refusedBy(this.#options.rails, progress, captured)
      return captured.pending ? { ...refused, pending: true } : refused
    }
    const { receipt } = captured
    if (receipt.chargedAtomic > amountAtomic) this.#noteOvercharge(progress, rail)
    if (claim && answer) await this.#noteCharge(claim, receipt)
    return finish(progress, tracked(result, rail, authorization), receipt, () =>
      this.#makeGood(progress.call.requestId, rail, authorization, claim),
    )
  }

  /** The charge of a stream that its upstream broke off; a retry with the same key may run again. */
  async #makeGood(
    requestId: string,
    rail: Rail,
    authorization: Authorization,
    claim: Claim | null,
  ): Promise<void> {
    const { log, idempotency } = this.#options
    if (!rail.undo) {
      log.error({ requestId, rail: rail.id }, 'a paid stream broke off and its payment stands')
      return
    }
    await rail.undo(authorization, 'the upstream broke its answer off')
    if (claim) await idempotency.free(claim)
    log.warn({ requestId, rail: rail.id }, 'a paid stream broke off; its charge is made good')
  }

  /** A skill that billed through services.billing: `bill.amountAtomic` is what it took. */
  async selfBilled(
    progress: Progress,
    rail: Rail,
    result: Worked,
    claim: Claim | null,
  ): Promise<MeterOutcome> {
    const bill = typeof result.bill === 'object' ? result.bill : null
    const chargedAtomic = bill?.amountAtomic ?? 0n
    const receipt: Receipt = {
      rail: rail.id,
      chargedAtomic,
      ledgerId: bill?.ledgerId ?? null,
      headers: {},
      ...(await shownBalance(rail, progress.identity)),
    }
    if (claim && result.kind === 'answer' && chargedAtomic > 0n) {
      await this.#options.idempotency.prepare(claim, result.answer)
      await this.#noteCharge(claim, receipt)
    }
    return finish(progress, result, receipt)
  }

  /** A rail that takes the whole price should not be offered for such a skill; said once for each. */
  #noteOvercharge({ call }: Progress, rail: Rail): void {
    const { id } = call.mounted.skill
    if (this.#overcharging.has(id)) return
    this.#overcharging.add(id)
    this.#options.log.warn(
      { skill: id, rail: rail.id },
      "skill billed less than the price that was taken: it needs billing: 'partial'",
    )
  }

  async #noteCharge(claim: Claim, receipt: Receipt): Promise<void> {
    const { idempotency, log } = this.#options
    await idempotency
      .settle(claim, receipt)
      // The capture stands and the prepared answer is found by its hold: only the note is late.
      .catch((error: unknown) => log.warn({ err: error }, 'idempotency row not marked settled'))
  }
}

/**
 * Atomic units the key can spend now, for a receipt that no capture made; nothing without a key or
 * where the rail keeps no balance. A database that is away now spoils no answer.
 */
export async function shownBalance(
  rail: Rail | undefined,
  identity: Identity | null,
): Promise<{ balanceAtomic?: bigint }> {
  if (!identity || !rail?.balanceAtomic) return {}
  const balanceAtomic = await rail.balanceAtomic(identity.keyId).catch(() => null)
  return balanceAtomic === null ? {} : { balanceAtomic }
}

/** The rail's capture; a stream that nobody will read because of it is dropped. */
async function captureFor(
  result: Worked,
  rail: Rail,
  authorization: Authorization,
  amountAtomic: bigint,
  answer: StoredAnswer | null,
): Promise<CaptureOutcome> {
  let captured: CaptureOutcome | null = null
  try {
    captured = await rail.capture(authorization, amountAtomic, answer)
    return captured
  } finally {
    if (captured?.outcome !== 'captured' && result.kind === 'stream')
      void result.response.body?.cancel().catch(() => {})
  }
}

/** The same result; a rail that must know when a stream was delivered is told. */
function tracked(result: Worked, rail: Rail, authorization: Authorization): Worked {
  if (result.kind !== 'stream' || !rail.delivered) return result
  const delivered = () => void rail.delivered!(authorization)
  const { response } = result
  if (!response.body) delivered()
  const body =
    response.body && followed(response.body, (end) => void (end !== 'broken' && delivered()))
  return { ...result, response: new Response(body, response) }
}
