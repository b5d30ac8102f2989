/** The environment variables that plugins declare. */
import { optional } from './fields.ts'
import { VARIABLES } from './variables.ts'
import type { Variable, VariableProblem, VariableValues } from './variable.ts'

/** A plugin's declaration of its environment variables. */
export interface Declaring {
  id: string
  secrets?: readonly string[]
  variables?: readonly Variable[]
  contradictions?(values: VariableValues): readonly VariableProblem[]
}

/**
 * Each variable once, whichever plugins declare it; the first declaration counts. Variables of the
 * kernel itself are left out: a plugin may declare them to read them.
 */
export function declaredVariables(plugins: readonly Declaring[]): Variable[] {
  const own = new Set(Object.values(VARIABLES).map(({ name }) => name))
  const declared = new Map<string, Variable>()
  for (const variable of plugins.flatMap(declaredBy)) {
    if (!own.has(variable.name) && !declared.has(variable.name))
      declared.set(variable.name, variable)
  }
  return [...declared.values()]
}

/** The variables of one plugin; names in `secrets` become optional secret variables. */
export function declaredBy({ variables = [], secrets = [] }: Declaring): Variable[] {
  const typed = new Set(variables.map(({ name }) => name))
  return [
    ...variables,
    ...secrets
      .filter((name) => !typed.has(name))
      .map((name) => optional(name, { expected: 'a secret', example: '…', isSecret: true })),
  ]
}
