/**
 * Which environment variables a product may name. The author of a product can send their values to
 * an upstream, so only variables that the operator opened for products may be used.
 */
import { valueOf, type Environment, type Variable } from './variable.ts'
import { VARIABLES } from './variables.ts'

/** Variables with this prefix are open to products. */
const PRODUCT_PREFIX = 'PRODUCT_'

/** Whether PRODUCT_ENV may hold this name: never a secret of the kernel or of a plugin. */
export function mayOpen(name: string, declared: readonly Variable[]): boolean {
  const { isSecret, isOpenToProducts } = find(name, declared) ?? {}
  return !isSecret || isOpenToProducts === true || name.startsWith(PRODUCT_PREFIX)
}

/** Null if products may name the variable, else what an operator has to change. */
export function whyClosed(
  name: string,
  env: Environment,
  declared: readonly Variable[],
): string | null {
  if (find(name, declared)?.isOpenToProducts) return null
  const own = `${PRODUCT_PREFIX}${name}`
  if (!mayOpen(name, declared)) {
    return `${name} is a secret of the gateway itself, which no product may use; set what this product needs under a name of its own, such as ${own}`
  }
  const isOpen =
    name.startsWith(PRODUCT_PREFIX) || valueOf(env, VARIABLES.productEnv).includes(name)
  if (isOpen) return null
  return `the environment variable ${name} is not open to products: add ${name} to PRODUCT_ENV, or rename it ${own}`
}

function find(name: string, declared: readonly Variable[]): Variable | undefined {
  return [...Object.values<Variable>(VARIABLES), ...declared].find((one) => one.name === name)
}
