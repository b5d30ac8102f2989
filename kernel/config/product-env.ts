/**
 * Which environment variables a product may name. Whoever may write a product can send what it
 * names to an upstream of their own, so only variables that the operator opened for products are.
 */
import type { Environment } from './fields.ts'
import { isSecretVariable, SHIPPED_PRODUCT_VARIABLES, VARIABLES } from './variables.ts'

/** Variables with this prefix are open to products. */
export const PRODUCT_PREFIX = 'PRODUCT_'

/** Whether PRODUCT_ENV may hold this name: never a secret of the gateway itself. */
export function mayOpen(name: string): boolean {
  return isShipped(name) || !isSecretVariable(name)
}

/** Null when products may name the variable, else what an operator has to change. */
export function whyClosed(name: string, env: Environment): string | null {
  if (isShipped(name)) return null
  const own = `${PRODUCT_PREFIX}${name}`
  if (!mayOpen(name)) {
    return `${name} is a secret of the gateway itself, which no product may use; set what this product needs under a name of its own, such as ${own}`
  }
  if (name.startsWith(PRODUCT_PREFIX) || isListed(name, env)) return null
  return `the environment variable ${name} is not open to products: add ${name} to PRODUCT_ENV, or rename it ${own}`
}

function isShipped(name: string): boolean {
  return (SHIPPED_PRODUCT_VARIABLES as readonly string[]).includes(name)
}

function isListed(name: string, env: Environment): boolean {
  const listed = VARIABLES.PRODUCT_ENV.parse(env['PRODUCT_ENV'] ?? '')
  return listed.ok && listed.value.includes(name)
}
