/** Reads what the meter's calls came to. */
import type { Failure } from '../../kernel/errors.ts'
import type { MeterOutcome } from '../../kernel/metering/call.ts'

type Kind = MeterOutcome['kind']
type Of<K extends Kind> = Extract<MeterOutcome, { kind: K }>

function only<K extends Kind>(outcome: MeterOutcome, kind: K): Of<K> {
  if (outcome.kind !== kind) throw new Error(`no ${kind}: ${JSON.stringify(outcome)}`)
  return outcome as Of<K>
}

/** The answer; throws what came instead, as do the next two. */
export const answerOf = (outcome: MeterOutcome) => only(outcome, 'answer')
export const streamOf = (outcome: MeterOutcome) => only(outcome, 'stream')
export const refusalOf = (outcome: MeterOutcome) => only(outcome, 'failure')

/** What the body of an answer says; throws what came instead. */
export const bodyOf = (outcome: MeterOutcome): unknown =>
  JSON.parse(new TextDecoder().decode(answerOf(outcome).answer.body))

/** Why a call failed; null where it did not. */
export const failureOf = (outcome: MeterOutcome): Failure | null =>
  outcome.kind === 'failure' ? outcome.failure : null
export const detailsOf = (outcome: MeterOutcome) => failureOf(outcome)?.details ?? null
export const reasonOf = (outcome: MeterOutcome): unknown => detailsOf(outcome)?.['reason']
