/** What a call cost, in `_meta` of its result: no second call is needed to know. */
import { atomicToCredits, type CallOutcome, type MountedSkill, type Usage } from '#kernel'
import { membersOf } from './reply.ts'

const META_CALL = 'coinop/call'

/** JSON members of `_meta` of a tool result: our receipt, then those of the rail. */
export function receiptMembers(outcome: CallOutcome, mounted: MountedSkill): string {
  const call = outcome.ok ? paidCall(outcome, mounted) : failedCall(outcome, mounted)
  const own = `"${META_CALL}":${JSON.stringify(call)}`
  const rail = outcome.receipt?.meta ? membersOf(outcome.receipt.meta) : ''
  return rail === '' ? own : `${own},${rail}`
}

function paidCall(
  { requestId, receipt, replayed }: Extract<CallOutcome, { ok: true }>,
  mounted: MountedSkill,
): object {
  return {
    requestId,
    rail: receipt.rail,
    chargedCredits: atomicToCredits(receipt.chargedAtomic),
    chargedUsdcAtomic: receipt.chargedAtomic.toString(),
    ...(receipt.balanceAtomic !== undefined && {
      balanceCredits: atomicToCredits(receipt.balanceAtomic),
    }),
    ledgerId: receipt.ledgerId,
    ...(receipt.usage && usageMembers(receipt.usage)),
    priceVersion: mounted.priceVersion,
    ...(receipt.transaction !== undefined && { transaction: receipt.transaction }),
    ...(replayed && { replayed: true }),
  }
}

/** Units by name, null without a good measure; and what of the charge is not as they say. */
function usageMembers({ units, isCapped, isMissing }: Usage): object {
  const counted = units.map((one) => [one.unit, one.units === null ? null : Number(one.units)])
  return {
    chargedUnits: Object.fromEntries(counted),
    ...(isCapped && { capped: true }),
    ...(isMissing && { measureMissing: true }),
  }
}

function failedCall(
  { requestId, pending, rail, receipt, balanceAtomic }: Extract<CallOutcome, { ok: false }>,
  mounted: MountedSkill,
): object {
  return {
    requestId,
    ...(rail !== undefined && { rail }),
    // Unknown while a settlement is being looked up; 0 unless it was paid before the work.
    chargedCredits: pending ? null : atomicToCredits(receipt?.chargedAtomic ?? 0n),
    ...(balanceAtomic !== undefined && { balanceCredits: atomicToCredits(balanceAtomic) }),
    ledgerId: receipt?.ledgerId ?? null,
    priceVersion: mounted.priceVersion,
    ...(receipt?.transaction !== undefined && { transaction: receipt.transaction }),
  }
}
