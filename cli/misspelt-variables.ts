/** Variables that are set, that nothing reads, and whose names are almost those of a setting. */
import { whyClosed } from '../kernel/config/product-env.ts'
import { textOf, type Environment } from '../kernel/config/variable.ts'

/** Shorter names are close to too much that is not meant for the gateway. */
const SHORTEST = 6
/** From this length on, two edits are no other word. */
const LONG = 10

export interface MisspeltVariable {
  name: string
  /** The setting that was probably meant. */
  meant: string
}

/**
 * The variables in `env` whose names are one or, long ones, two edits away from one of `settings`
 * that is not set itself, or are that with the prefix that COINOP_MASTER_KEY has. Those that are open
 * to product files have a use of their own.
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
        unset.find((setting) => setting.length >= SHORTEST && areClose(setting, name))
      return meant === undefined ? [] : [{ name, meant }]
    })
}

/** What an operator reads of it. */
export function describeMisspelt({ name, meant }: MisspeltVariable): string {
  return `${name} is set and nothing reads it; if ${meant} is meant, that has its default now`
}

function areClose(setting: string, name: string): boolean {
  // A plural is no other word either: TRUSTED_PROXY.
  const plain = (text: string): string =>
    text
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]/g, '')
      .replace(/IES$/, 'Y')
  const [a, b] = [plain(setting), plain(name)]
  const mostEdits = a.length < LONG ? 1 : 2
  return Math.abs(a.length - b.length) <= mostEdits && editsBetween(a, b) <= mostEdits
}

/** How many letters must be added, left out, changed or swapped with the next one. */
function editsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity
      row.push(Math.min(change, swap, rows[i - 1]![j]! + 1, row[j - 1]! + 1))
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
