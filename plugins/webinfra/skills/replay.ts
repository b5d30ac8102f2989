/** webinfra.webhook_replay: a stored payload once more, to every enabled destination, answered when all are done. */
import { defineSkill, fail, type Failure, type Result, type SkillContext } from '#kernel'
import type { Static } from 'typebox'
import { REPLAY_SKILL } from '../charge.ts'
import type { Relay } from '../relay.ts'
import { ReplayInput, ReplayOutput } from '../schema.ts'

type Output = Static<typeof ReplayOutput>

export function replaySkill(deps: { relay: Relay; timeoutMs: number }) {
  async function handler(
    ctx: SkillContext,
    { id }: Static<typeof ReplayInput>,
  ): Promise<Result<Output>> {
    const { keyId, rail, isHeld, idempotencyKey } = ctx.caller
    // The meter refuses anonymous payers (`payer: 'key'`); nobody else owns a delivery.
    if (keyId === undefined) return deliveryMissing()
    const payment = isHeld ? rail : null
    const callKey = payment === null ? (idempotencyKey ?? null) : null
    const replayed = await deps.relay.replay(id, { callerKeyId: keyId, payment, callKey })
    if (replayed.outcome === 'not_found') return deliveryMissing()
    if (replayed.outcome === 'not_replayable') {
      const output = { replayed: false, status: 'conflict', delivery_id: id } as const
      const conflict = { ...output, error: 'not_replayable' as const }
      return { ok: true, output: conflict, status: 409, bill: 'release' }
    }
    if (replayed.unpaid) return noFunds()
    const { status } = replayed
    if (status === 'accepted' || status === 'retrying') return outcomeUnknown()
    const output: Output = { replayed: status !== 'failed', status, delivery_id: id }
    if (payment === null) {
      const { chargedAtomic: amountAtomic, ledgerId } = replayed
      return { ok: true, output, bill: { amountAtomic, ...(ledgerId && { ledgerId }) } }
    }
    return { ok: true, output, bill: replayed.paidSucceeded ? 'capture' : 'release' }
  }

  return defineSkill({
    id: REPLAY_SKILL,
    tools: [{ name: 'replay.webhook' }],
    title: 'Replay a webhook delivery',
    description:
      "Sends a stored delivery's payload again to every enabled destination, one attempt each. Needs the API key that owns it. Costs its price per destination that takes it; failures are free. 409 not_replayable while it is still being forwarded, when its payload was purged, without an enabled destination, or at a paused endpoint.",
    input: ReplayInput,
    output: ReplayOutput,
    statuses: [409],
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    example: {
      input: { id: 'dlv_0197f3c2a1b07c44a3e2b1c0d9e8f702' },
      output: {
        replayed: true,
        status: 'forwarded',
        delivery_id: 'dlv_0197f3c2a1b07c44a3e2b1c0d9e8f702',
      },
    },
    billing: 'self',
    payer: 'key',
    limits: { timeoutMs: deps.timeoutMs, concurrency: 64 },
    handler,
  })
}

function deliveryMissing(): Failure {
  return fail('INVALID_INPUT', 'No delivery of yours has this id', { status: 404 })
}

/** The gateway could not finish: another instance ends what was begun, and bills it if it succeeds. */
function outcomeUnknown(): Failure {
  return fail('INTERNAL_ERROR', 'The replay was begun, but how it ends is not known yet', {
    status: 503,
    headers: { 'retry-after': '60' },
  })
}

function noFunds(): Failure {
  return fail('PAYMENT_REQUIRED', 'The key has too few credits for this replay: top it up first')
}
