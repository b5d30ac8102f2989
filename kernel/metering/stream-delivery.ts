/** Ends of paid streams: the rail is told of the delivery, or undoes the charge of a broken one. */
import type { Logger } from '../log/logger.ts'
import { followed } from '../net/stream-end.ts'
import { inRailTime } from '../rails/registry.ts'
import type { Progress } from './call-outcome.ts'
import type { GiveBackOrder } from './give-back-contract.ts'
import type { GiveBackOrders } from './give-backs.ts'
import type { IdempotencyStore } from './idempotency.ts'
import type { Held } from './plan.ts'
import type { Worked } from './skill-runner.ts'

type Stream = Extract<Worked, { kind: 'stream' }>

type NotingDeps = Pick<UndoDeps, 'idempotency' | 'log'>
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

export interface UndoDeps {
  idempotency: IdempotencyStore
  giveBacks: GiveBackOrders
  log: Logger
}

/** The order to give back the charge of a call's hold. */
export function orderOf(
  { call: { requestId } }: Progress,
  { rail, holdId, claim }: Held,
): GiveBackOrder {
  const key = claim && { scope: claim.scope, key: claim.key }
  return { railId: rail.id, holdId, requestId, key }
}

/** Gives back the charge of a stream that broke off; a retry with the same key runs again. */
export async function undoBroken(
  { idempotency, giveBacks, log }: UndoDeps,
  progress: Progress,
  plan: Held,
): Promise<void> {
  const { rail, authorization, claim } = plan
  const { requestId } = progress.call
  if (!rail.undo) {
    log.error({ requestId, rail: rail.id }, 'a paid stream broke off and its payment stands')
    return
  }
  const reason = 'the answer broke off'
  if (rail.giveBack) {
    // Streams are not kept, so no retry can have received the answer.
    const { done } = await giveBacks.start(orderOf(progress, plan), async () => {
      await rail.undo!(authorization, reason)
      return true
    })
    if (!(await done)) return
  } else {
    await rail.undo(authorization, reason)
    if (claim) await idempotency.free(claim)
  }
  log.warn({ requestId, rail: rail.id }, 'a paid stream broke off; its charge is made good')
}
