/** What finished work costs its payer, by the price of its skill and by what was measured. */
import type { MountedSkill } from '../plugins/catalog.ts'
import type { AnswerSource, SaidUnits } from '../plugins/skill.ts'
import { chargeOf, isMeasured, type Measured, type PriceRule } from '../pricing/rule.ts'
import type { AccountCharge, StoredAnswer, Usage } from '../rails/contract.ts'
import { measureWhole } from './measure.ts'
import type { Worked } from './skill-runner.ts'

/** What is to be taken of an authorized amount. */
export interface Due {
  amountAtomic: bigint
  account?: AccountCharge
  usage?: Usage
}

/**
 * What a whole answer costs; null: nothing is taken, because the work says that it is free. `seconds`
 * is how long the work took.
 */
export function dueFor(
  { price }: Pick<MountedSkill, 'price'>,
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
  if (!isMeasured(price)) return flatDue(price, authorizedAtomic)
  const source = work.source ?? sourceOf(work.answer)
  const said = saidIn(bill)
  return measuredDue(price, measureWhole(price, source, { seconds, said }), authorizedAtomic)
}

/** What a call costs whose price is known before its work: all of it, or by tiers of calls. */
export function flatDue(price: PriceRule, authorizedAtomic: bigint): Due {
  // Signed for an earlier maximum, a payment may authorize more than the call costs now.
  const amountAtomic = least(price.maxAtomic, authorizedAtomic)
  if (price.baseTiers === null) return { amountAtomic }
  const { units, graduated } = chargeOf(price, [])
  return { amountAtomic, account: { units, graduated } }
}

/** What measured units cost, at most what is authorized. */
export function measuredDue(price: PriceRule, measured: Measured, authorizedAtomic: bigint): Due {
  const { amountAtomic, units, graduated, capped, missing } = chargeOf(price, measured)
  // A free call has nothing held, and one that measured nothing costs what is held.
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

/** What was charged at a maximum that tiers did not reach was not capped. */
export function usageOf(due: Due, chargedAtomic: bigint): Usage | undefined {
  const { usage, account, amountAtomic } = due
  if (!usage?.isCapped || !account?.graduated) return usage
  return { ...usage, isCapped: chargedAtomic === amountAtomic }
}

/** Several cookies are one value with line feeds, which no header may hold, and none of them is a unit. */
function sourceOf({ headers, body }: StoredAnswer): AnswerSource {
  const { 'set-cookie': _cookies, ...rest } = headers
  return { headers: new Headers(rest), body }
}

function saidIn(bill: Extract<Worked, { kind: 'answer' }>['bill']): SaidUnits | null {
  return typeof bill === 'object' && 'units' in bill ? bill.units : null
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
