/** Variables that are set, that nothing reads, and whose names are almost those of a setting. */
import { isMisspelt } from '../kernel/config/misspelt.ts'
import { whyClosed } from '../kernel/config/product-env.ts'
import { textOf, type Environment } from '../kernel/config/variable.ts'

/** Shorter names are close to too much that is not meant for the gateway. */
const SHORTEST = 6

export interface MisspeltVariable {
  name: string
  /** The setting that was probably meant. */
  meant: string
}

/**
 * The variables in `env` whose names are misspelt ones of `settings` that are not set themselves, or
 * are those with the prefix that COINOP_MASTER_KEY has. Those that are open to product files have a
 * use of their own.
 */
export function misspeltVariables(
  settings: readonly string[],
  env: Environment,
): MisspeltVariable[] {
  const known = new Set(settings)
  const unset = settings.filter((name) => textOf(env, name) === null)
  return Object.keys(env)
    .filter(
      (name) => !known.has(name) && whyClosed(name, env, []) !== null && textOf(env, name) !== null,
    )
    .flatMap((name) => {
      const meant =
        unset.find((setting) => `COINOP_${setting}` === name.toUpperCase()) ??
        unset.find((setting) => setting.length >= SHORTEST && isMisspelt(setting, name))
      return meant === undefined ? [] : [{ name, meant }]
    })
}

/** What an operator reads of it. */
export function describeMisspelt({ name, meant }: MisspeltVariable): string {
  return `${name} is set and nothing reads it; if ${meant} is meant, that has its default now`
}
