/**
 * Streams whose units are known at their end: the maximum is held before the first byte, and what
 * was seen is captured after the last one. If the gateway dies in between, nothing is captured and
 * the hold or the payment's claim expires: the operator bears that loss, never the payer.
 */
import type { Logger } from '../log/logger.ts'
import { chargedStream, type StreamEnd } from '../net/stream-end.ts'
import type { CaptureOutcome, Receipt } from '../rails/contract.ts'
import { finish, FREE, secondsSince, type Progress } from './call-outcome.ts'
import type { MeterOutcome } from './call.ts'
import { measuredDue, type Due } from './due.ts'
import type { IdempotencyStore } from './idempotency.ts'
import { UnitReader } from './measure.ts'
import type { Held } from './plan.ts'
import { noteDelivered } from './stream-delivery.ts'
import type { Worked } from './skill-runner.ts'

export interface StreamCharging {
  idempotency: IdempotencyStore
  /** Cuts the stream off. */
  ending: AbortSignal
  log: Logger
  /** Captures what is due; never rejects. */
  charged(due: Due): Promise<CaptureOutcome>
  /** Called for a charge that failed. */
  failed(captured: FailedCapture): Promise<void>
  /** Called instead of `charged` if the stream broke off before its first byte. */
  unsent(): Promise<void>
}
export type FailedCapture = Extract<CaptureOutcome, { outcome: 'failed' }>

/** Ends the call with a stream that is charged at its end, however it ends. */
export function chargedAtEnd(
  charging: StreamCharging,
  progress: Progress,
  plan: Held,
  result: Extract<Worked, { kind: 'stream' }>,
): MeterOutcome {
  const { rail, authorization, deadline } = plan
  const { ending } = charging
  const { response } = result
  const { promise, resolve } = Promise.withResolvers<Receipt>()
  const units = new UnitReader(progress.call.mounted.price.per, response.headers)
  const charge = async (end: StreamEnd): Promise<void> =>
    resolve(await chargeSeen(charging, progress, plan, units, end))
  const seen = (chunk: Uint8Array): void => units.push(chunk)
  const body = response.body && chargedStream(response.body, { ending, deadline, seen, charge })
  if (body === null) void charge('complete')
  const head: Receipt = { ...FREE, rail: rail.id, heldAtomic: authorization.amountAtomic }
  const metered = { ...result, response: new Response(body, response) }
  return finish(progress, metered, head, async () => {}, promise)
}

/** The receipt of the charge for what was seen, or of no charge if it failed; never rejects. */
async function chargeSeen(
  { idempotency, log, charged, failed, unsent }: StreamCharging,
  progress: Progress,
  plan: Held,
  units: UnitReader,
  end: StreamEnd,
): Promise<Receipt> {
  const { rail, authorization } = plan
  const { requestId, mounted } = progress.call
  const nothing: Receipt = { ...FREE, rail: rail.id }
  try {
    if (end === 'broken' && units.sizeBytes === 0) {
      await unsent()
      return nothing
    }
    const measured = units.measured({ seconds: secondsSince(progress), said: null })
    // A broken upstream may not have sent its units: the payer then owes only the base price.
    const missing = end === 'broken' ? 'base' : mounted.price.missing
    const due = measuredDue({ ...mounted.price, missing }, measured, authorization.amountAtomic)
    const captured = await charged(due)
    if (captured.outcome === 'captured') {
      await noteDelivered({ idempotency, log }, progress, plan)
      return captured.receipt
    }
    // The answer has gone out: a failed charge is the operator's loss.
    const { failure } = captured
    log.error({ requestId, rail: rail.id, failure }, 'a stream that went out was not charged')
    await failed(captured)
  } catch (error) {
    log.error({ err: error, requestId, rail: rail.id }, 'a stream that ended was not charged')
  }
  return nothing
}
