/**
 * The quote of a call, before its work.
 *
 * A quote is one frozen object per mounted skill and place, and one per own price that the terms of
 * mounted plugins give to accounts, so that rails can cache their offers per quote. A changed price
 * makes a new mounted skill and thereby a new quote.
 */
import type { MountedSkill } from '../plugins/catalog.ts'
import type { SkillTool } from '../plugins/skill.ts'
import { isMeasured, type PriceRule } from '../pricing/rule.ts'
import type { Quote } from '../rails/contract.ts'
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
