/**
 * Quotes: one frozen object per mounted skill and place, so that rails can precompute their offers
 * per quote. A new price makes a new mounted skill and with it a new quote.
 */
import type { MountedSkill } from '../plugins/catalog.ts'
import type { SkillTool } from '../plugins/skill.ts'
import { isMeasured } from '../pricing/rule.ts'
import type { Quote } from '../rails/contract.ts'

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
