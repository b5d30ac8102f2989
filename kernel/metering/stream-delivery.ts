/** The delivery of paid streams: their rail is told of it, and their Idempotency-Key. */
import type { Logger } from '../log/logger.ts'
import { followed } from '../net/stream-end.ts'
import { inRailTime } from '../rails/registry.ts'
import type { Progress } from './call-outcome.ts'
import type { IdempotencyStore } from './idempotency.ts'
import type { Held } from './plan.ts'
import type { Worked } from './skill-runner.ts'

type Stream = Extract<Worked, { kind: 'stream' }>

interface NotingDeps {
  idempotency: IdempotencyStore
  log: Logger
}
type DeliveryDeps = NotingDeps & { ending: AbortSignal }

/** The same stream; its end is recorded for its Idempotency-Key and reported to its rail. */
export function followDelivery(
  deps: DeliveryDeps,
  progress: Progress,
  plan: Held,
  result: Stream,
): Stream {
  if (!plan.rail.delivered && !plan.claim) return result
  // Not awaited: the answer is out, and an error of the rail must not cut off its last byte.
  const delivered = (): void => void noteDelivered(deps, progress, plan)
  const { response } = result
  if (!response.body) delivered()
  const body =
    response.body && followed(response.body, (end) => void (end !== 'broken' && delivered()), deps)
  return { ...result, response: new Response(body, response) }
}

/**
 * Records the end of a stream for its Idempotency-Key and reports it to its rail; the charge stands
 * even if that fails. Never rejects.
 */
export async function noteDelivered(
  { idempotency, log }: NotingDeps,
  { call: { requestId } }: Progress,
  { rail, authorization, claim }: Held,
): Promise<void> {
  try {
    const noting = rail.delivered?.(authorization)
    if (noting) await inRailTime(rail, 'delivered', noting)
    if (claim) await idempotency.noteStreamed(claim)
  } catch (error) {
    const facts = { err: error, requestId, rail: rail.id }
    log.error(facts, 'the end of a stream that was delivered could not be noted')
  }
}
