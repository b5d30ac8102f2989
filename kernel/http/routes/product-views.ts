/** How products look outside: to everybody (no upstream, no configuration) and to the operator. */
import { Type } from 'typebox'
import { atomicToCredits, atomicToUsd } from '../../money.ts'
import type { MountedSkill } from '../../plugins/catalog.ts'
import type { MountedProduct } from '../../products/mounted-product.ts'
import type { Snapshot } from '../../products/snapshot.ts'
import type { SpecProblem } from '../../products/problem.ts'
import type { ProductProblem } from '../../products/registry.ts'
import { PriceRef, priceView } from '../../pricing/view.ts'
import { nullable } from '../json.ts'

export const PRODUCTS_TAG = 'Products'
export const NO_PRODUCT = 'No product has this id'
/** The `limit` of lists of products and of versions. */
export const PRODUCT_PAGE = { min: 1, max: 1000, fallback: 200 }

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
 * A product of `snapshot` as everybody may see it; `withSchemas` adds input, output and example of
 * each skill.
 */
export function publicProduct(
  product: MountedProduct,
  { priceVersion, rails }: Snapshot,
  withSchemas: boolean,
): object {
  const { spec, revision } = product.parts
  return {
    product_id: spec.productId,
    version: revision,
    title: spec.title,
    description: spec.description,
    base_path: spec.basePath,
    metered: spec.metered,
    skills: product.entries.map((entry) => publicSkill(entry.at(priceVersion, rails), withSchemas)),
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

/** One problem of a spec as `details.issues` and `warnings` carry it. */
export function issueOf({ pointer, message, line, column, got }: SpecProblem): object {
  return {
    path: pointer,
    message,
    ...(line !== null && { line, column }),
    ...(got !== undefined && { got }),
  }
}

export function problemView(problem: ProductProblem): object {
  const { productId, file, stage, problems, since, serving } = problem
  return {
    product_id: productId,
    file,
    stage,
    since: since.toISOString(),
    serving,
    issues: problems.map(issueOf),
  }
}
