/**
 * Quotes: one frozen object per mounted skill and place, and one per price that accounts have of their
 * own by the terms of mounted plugins, so that rails can precompute their offers per quote. A new price
 * makes a new mounted skill and with it a new quote.
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

  /** The quote of one of its MCP tools. */
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
export function isCeiling({ skill, price }: MountedSkill): boolean {
  return skill.billing === 'partial' || isMeasured(price)
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

/** Prices and limits of accounts of their own. */
export class AccountTerms {
  #terms: readonly Terms[] = []
  /** By quote and price: rails make their offers once per quote. */
  readonly #made = new WeakMap<Quote, WeakMap<PriceRule, Offered>>()

  /** From now on the first of these that has a price for an account says it. */
  setTerms(terms: readonly Terms[]): void {
    this.#terms = terms
  }

  /** The skill at the account's own price; null: at that of the list. */
  of(accountId: string, { mounted, quote }: Offered): Offered | null {
    const list = quote.price
    // Goods at a price that the buyer chose are the same for everybody.
    if (list === undefined || quote.hasOwnPrice) return null
    for (const terms of this.#terms) {
      const price = terms.priceOf(accountId, mounted.skill.id, list)
      if (price !== null) return this.#at(price, { mounted, quote })
    }
    return null
  }

  /** The limits of a key without its own, from the first terms that have some; null: none has. */
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
    const own = { ...mounted, price, amountAtomic }
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
