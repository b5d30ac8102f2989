/** tools/list: every tool of the mounted products with its schemas, annotations and price. */
import type { Naming } from '../shared/mcp/contract.ts'
import {
  atomicToCredits,
  formatUsd,
  isFlatPrice,
  listedSkills,
  priceWithExample,
  priceView,
  type CatalogSnapshot,
  type MountedSkill,
  type SkillTool,
} from '#kernel'
import { railMeta, unpaidSchemas, type ShownRail } from './rails.ts'
import { inputSchemaOf, outputSchemaOf } from './schemas.ts'

/** A tool name as it is listed under `naming`: model APIs of some hosts refuse dots. */
export function listedName(name: string, naming: Naming): string {
  return naming === 'underscore' ? name.replaceAll('.', '_') : name
}

/** The tools that may be discovered. Unlisted and private products are callable only. */
export function listedTools(
  snapshot: CatalogSnapshot,
): { mounted: MountedSkill; tool: SkillTool }[] {
  return listedSkills(snapshot).flatMap((mounted) =>
    mounted.tools.map((tool) => ({ mounted, tool })),
  )
}

/** The entry of one tool in tools/list. */
export function toolEntry(
  mounted: MountedSkill,
  tool: SkillTool,
  naming: Naming,
  rails: readonly ShownRail[],
): { name: string; value: object } {
  const { skill } = mounted
  const name = listedName(tool.name, naming)
  const title = tool.title ?? skill.title
  const outputSchema = outputSchemaOf(skill.output, unpaidSchemas(rails))
  return {
    name,
    value: {
      name,
      title,
      description: `${tool.description ?? skill.description}\n\n${priceLine(mounted)}`,
      inputSchema: inputSchemaOf(tool.input ?? skill.input),
      ...(outputSchema && { outputSchema }),
      annotations: { title, ...skill.annotations },
      _meta: priceMeta(mounted, rails),
    },
  }
}

/** One line of a description that a model and a person read. */
function priceLine({ metered, price, amountAtomic, skill }: MountedSkill): string {
  if (!metered) return 'Price: free.'
  const key = skill.payer === 'key' ? ' Needs an API key.' : ''
  if (!isFlatPrice(price)) {
    const most = `at most USD ${formatUsd(amountAtomic)}`
    return `Price of a successful call, ${most}: ${priceWithExample(price)}. Failures cost nothing.${key}`
  }
  const most = skill.billing === 'partial' ? 'at most ' : ''
  const unit = skill.billing === 'self' ? 'success inside the call' : 'successful call'
  return `Price: ${most}${priceText(amountAtomic)} per ${unit}.${key}`
}

/** "1 credit (USD 0.01)". */
export function priceText(amountAtomic: bigint): string {
  const credits = atomicToCredits(amountAtomic)
  return `${credits} credit${credits === 1 ? '' : 's'} (USD ${formatUsd(amountAtomic)})`
}

/** The price for programs, and what the clients of each rail read of it. */
function priceMeta(mounted: MountedSkill, shown: readonly ShownRail[]): object {
  const { metered, amountAtomic, price, priceVersion, rails, skill } = mounted
  return {
    'coinop/price': {
      skill: skill.id,
      metered,
      credits: atomicToCredits(amountAtomic),
      usd: formatUsd(amountAtomic),
      usdcAtomic: amountAtomic.toString(),
      ...(metered && !isFlatPrice(price) && { rule: priceView(price) }),
      priceVersion,
      rails: metered ? rails : [],
    },
    ...(metered && railMeta(shown, amountAtomic)),
  }
}
