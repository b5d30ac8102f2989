/** How products look to everybody: without upstream and configuration. */
import {
  atomicToCredits,
  atomicToUsd,
  type MountedSkill,
  nullable,
  priceView,
  type ServedProduct,
} from '#kernel'
import { Type } from 'typebox'
import { PriceRef } from './price-schema.ts'

const ListedSkill = Type.Object({
  skill: Type.String(),
  title: Type.String(),
  description: Type.String(),
  method: nullable('string'),
  path: nullable('string'),
  tools: Type.Array(Type.String()),
  metered: Type.Boolean(),
  credits: Type.Number(),
  usd: Type.Number(),
  usdcAtomic: Type.String({ description: 'The most that a call costs, in digits' }),
  rule: Type.Optional(PriceRef),
  rails: Type.Array(Type.String()),
})
const DescribedSkill = Type.Object({
  ...ListedSkill.properties,
  input: Type.Object({}, { additionalProperties: true }),
  output: Type.Object({}, { additionalProperties: true }),
})
/** A product in the list of all. */
export const ListedProduct = Type.Object({
  product_id: Type.String(),
  version: Type.Integer(),
  title: Type.String(),
  description: Type.String(),
  base_path: Type.String(),
  metered: Type.Boolean(),
  skills: Type.Array(ListedSkill),
})
/** A product asked for by its id. */
export const DescribedProduct = Type.Object({
  ...ListedProduct.properties,
  skills: Type.Array(DescribedSkill),
})

/**
 * A product with its `skills` as everybody may see it; `withSchemas` adds input, output and example of
 * each skill.
 */
export function publicProduct(
  { parts: { spec, revision } }: ServedProduct,
  skills: readonly MountedSkill[],
  withSchemas: boolean,
): object {
  return {
    product_id: spec.productId,
    version: revision,
    title: spec.title,
    description: spec.description,
    base_path: spec.basePath,
    metered: spec.metered,
    skills: skills.map((mounted) => publicSkill(mounted, withSchemas)),
  }
}

function publicSkill(mounted: MountedSkill, withSchemas: boolean): object {
  const { skill, route, tools, metered, amountAtomic, price, rails } = mounted
  return {
    skill: skill.id,
    title: skill.title,
    description: skill.description,
    method: route?.method ?? null,
    path: route?.path ?? null,
    tools: tools.map((tool) => tool.name),
    metered,
    credits: atomicToCredits(amountAtomic),
    usd: atomicToUsd(amountAtomic),
    usdcAtomic: amountAtomic.toString(),
    ...(metered && { rule: priceView(price) }),
    rails: metered ? rails : [],
    ...(withSchemas && {
      input: skill.input,
      output: skill.output,
      ...(skill.example && { example: skill.example }),
    }),
  }
}
