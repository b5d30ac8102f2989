/**
 * The quote of a call before its work, and its cost after the work, by what was measured.
 *
 * A quote is one frozen object per mounted skill and place, and one per own price that the terms of
 * mounted plugins give to accounts, so that rails can cache their offers per quote. A changed price
 * makes a new mounted skill and thereby a new quote.
 */
import { least } from '../money.ts'
import type { MountedSkill } from '../plugins/catalog.ts'
import type { AnswerSource, SaidUnits, SkillTool } from '../plugins/skill.ts'
import { chargeOf, isMeasured, type Measured, type PriceRule } from '../pricing/rule.ts'
import type { AccountCharge, StoredAnswer, Usage, Quote } from '../rails/contract.ts'
import { measureWhole } from './measure.ts'
import type { Worked } from './skill-runner.ts'
import type { Offered } from '../plugins/services.ts'
import type { OwnLimits, Terms } from '../pricing/terms.ts'

export class Quotes {
  readonly #publicUrl: string
  readonly #http = new WeakMap<MountedSkill, Quote>()
  readonly #tools = new WeakMap<MountedSkill, Map<string, Quote>>()

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl
  }

  /** The quote of the HTTP route; the URL of a route with parameters keeps its {names}. */
  http(mounted: MountedSkill): Quote {
    const known = this.#http.get(mounted)
    if (known) return known
    const route = mounted.route ?? { method: 'POST', path: `/v1/p/${mounted.product.id}` }
    const quote: Quote = {
      ...common(mounted),
      method: route.method,
      path: route.path,
      resourceUrl: `${this.#publicUrl}${route.path}`,
      transport: 'http',
      inputSchema: mounted.skill.input,
      outputSchema: mounted.skill.output,
    }
    this.#http.set(mounted, Object.freeze(quote))
    return quote
  }

  /** The quote of one of the skill's MCP tools. */
  tool(mounted: MountedSkill, tool: SkillTool): Quote {
    const tools = this.#tools.get(mounted) ?? new Map<string, Quote>()
    this.#tools.set(mounted, tools)
    const known = tools.get(tool.name)
    if (known) return known
    const quote: Quote = {
      ...common(mounted),
      title: tool.title ?? mounted.skill.title,
      description: tool.description ?? mounted.skill.description,
      method: 'POST',
      path: `mcp://tool/${tool.name}`,
      resourceUrl: `mcp://tool/${tool.name}`,
      transport: 'mcp',
      tool: tool.name,
      inputSchema: tool.input ?? mounted.skill.input,
      outputSchema: mounted.skill.output,
    }
    tools.set(tool.name, Object.freeze(quote))
    return quote
  }
}

/** Whether a success may cost less than the price says. */
export function isCeiling({ skill, isMeasured }: MountedSkill): boolean {
  return skill.billing === 'partial' || isMeasured
}

function common(mounted: MountedSkill) {
  return {
    skillId: mounted.skill.id,
    productId: mounted.product.id,
    title: mounted.skill.title,
    description: mounted.skill.description,
    amountAtomic: mounted.amountAtomic,
    price: mounted.price,
    priceVersion: mounted.priceVersion,
    timeoutMs: mounted.limits.timeoutMs,
    ...(isCeiling(mounted) && { isCeiling: true }),
    ...(mounted.skill.example && { example: mounted.skill.example }),
  }
}

/** The prices and limits that single accounts have instead of the list's. */
export class AccountTerms {
  #terms: readonly Terms[] = []
  /** Cached by quote and price, because rails cache their offers per quote. */
  readonly #made = new WeakMap<Quote, WeakMap<PriceRule, Offered>>()

  /** Replaces the terms; the first that has a price for an account decides. */
  setTerms(terms: readonly Terms[]): void {
    this.#terms = terms
  }

  /** The skill at the account's own price; null if the list price applies. */
  of(accountId: string, { mounted, quote }: Offered): Offered | null {
    const list = quote.price
    // An amount that the buyer chose (a top-up) is the same for everybody.
    if (list === undefined || quote.hasOwnPrice) return null
    for (const terms of this.#terms) {
      const price = terms.priceOf(accountId, mounted.skill.id, list)
      if (price !== null) return this.#at(price, { mounted, quote })
    }
    return null
  }

  /** Limits for keys without their own, from the first terms that have some; null if none has. */
  limitsOf(accountId: string): OwnLimits | null {
    for (const terms of this.#terms) {
      const limits = terms.limitsOf?.(accountId) ?? null
      if (limits !== null) return limits
    }
    return null
  }

  #at(price: PriceRule, { mounted, quote }: Offered): Offered {
    let byPrice = this.#made.get(quote)
    if (byPrice === undefined) this.#made.set(quote, (byPrice = new WeakMap()))
    const known = byPrice.get(price)
    if (known) return known
    const amountAtomic = price.maxAtomic
    const own = { ...mounted, price, amountAtomic, isMeasured: isMeasured(price) }
    const made = {
      mounted: own,
      quote: Object.freeze({
        ...quote,
        price,
        amountAtomic,
        isCeiling: isCeiling(own),
        isOfPlan: true,
      }),
    }
    byPrice.set(price, made)
    return made
  }
}

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
