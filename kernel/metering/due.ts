/** What a call costs after its work, by its price and what was measured. */
import { least } from '../money.ts'
import type { MountedSkill } from '../plugins/catalog.ts'
import type { AnswerSource, SaidUnits } from '../plugins/skill.ts'
import { chargeOf, type Measured, type PriceRule } from '../pricing/rule.ts'
import type { AccountCharge, StoredAnswer, Usage } from '../rails/contract.ts'
import { isMeasuredByHead, measureWhole, UnitReader } from './measure.ts'
import type { Worked } from './skill-runner.ts'

/** What to capture of an authorized amount. */
export interface Due {
  amountAtomic: bigint
  account?: AccountCharge
  usage?: Usage
}

/** The cost of a complete answer after `seconds` of work; null if the skill says it is free. */
export function dueFor(
  { price, isMeasured }: Pick<MountedSkill, 'price' | 'isMeasured'>,
  { bill, ...work }: Extract<Worked, { kind: 'answer' }>,
  authorizedAtomic: bigint,
  seconds: number,
): Due | null {
  if (bill === 'release') return null
  if (typeof bill === 'object' && 'amountAtomic' in bill) {
    const { amountAtomic } = bill
    if (amountAtomic <= 0n) return null
    return { amountAtomic: least(amountAtomic, authorizedAtomic) }
  }
  if (!isMeasured) return flatDue(price, authorizedAtomic)
  const source = work.source ?? sourceOf(work.answer)
  const said = saidIn(bill)
  return measuredDue(price, measureWhole(price, source, { seconds, said }), authorizedAtomic)
}

/** The cost of a call whose price is known before its work: the price, or by tiers of calls. */
export function flatDue(price: PriceRule, authorizedAtomic: bigint): Due {
  // A payment that was signed for an earlier, higher maximum may authorize more than the price.
  const amountAtomic = least(price.maxAtomic, authorizedAtomic)
  if (price.baseTiers === null) return { amountAtomic }
  const { units, graduated } = chargeOf(price, [])
  return { amountAtomic, account: { units, graduated } }
}

/** The cost of measured units, at most the authorized amount. */
export function measuredDue(price: PriceRule, measured: Measured, authorizedAtomic: bigint): Due {
  const { amountAtomic, units, graduated, capped, missing } = chargeOf(price, measured)
  // A free call holds nothing, and a call without a measure costs what is held: neither is cut.
  const isCut = !missing && authorizedAtomic > 0n && amountAtomic > authorizedAtomic
  return {
    amountAtomic: least(amountAtomic, authorizedAtomic),
    account: { units, graduated },
    usage: {
      units: price.per.map(({ unit }, index) => ({ unit, units: measured[index] ?? null })),
      isCapped: capped || isCut,
      isMissing: missing,
    },
  }
}

/** Whether the price of a streamed answer depends on more than its head. */
export function isReadToItsEnd({ price, isMeasured }: MountedSkill, { bill }: Worked): boolean {
  return bill === 'capture' && isMeasured && !isMeasuredByHead(price)
}

/** What a streamed answer costs if its head determines the price. */
export function headDue(
  { price, isMeasured }: MountedSkill,
  { response }: Extract<Worked, { kind: 'stream' }>,
  authorizedAtomic: bigint,
): Due {
  if (!isMeasured) return flatDue(price, authorizedAtomic)
  const measured = new UnitReader(price.per, response.headers).measured({ seconds: 0, said: null })
  return measuredDue(price, measured, authorizedAtomic)
}

/** The usage for a receipt; not capped if tiers made the charge less than the maximum. */
export function usageOf(due: Due, chargedAtomic: bigint): Usage | undefined {
  const { usage, account, amountAtomic } = due
  if (!usage?.isCapped || !account?.graduated) return usage
  return { ...usage, isCapped: chargedAtomic === amountAtomic }
}

/** Leaves out cookies: they hold no units, and are joined by line feeds, which headers forbid. */
function sourceOf({ headers, body }: StoredAnswer): AnswerSource {
  const { 'set-cookie': _cookies, ...rest } = headers
  return { headers: new Headers(rest), body }
}

function saidIn(bill: Extract<Worked, { kind: 'answer' }>['bill']): SaidUnits | null {
  return typeof bill === 'object' && 'units' in bill ? bill.units : null
}
