/** Durations as operators write them in YAML and in the environment. */

const DURATION_MS: Record<string, number> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** The value of a quantity such as '15m', by the factors in `units`; null for anything else. */
export function parseQuantity(text: string, units: Record<string, number>): number | null {
  const match = /^(\d{1,12})\s*([A-Za-z]+)$/.exec(text.trim())
  return match && Object.hasOwn(units, match[2]!) ? Number(match[1]) * units[match[2]!]! : null
}

/** Milliseconds of '500ms', '10s', '15m', '2h' or '1d'; null for anything else. */
export function parseDurationMs(text: string): number | null {
  return parseQuantity(text, DURATION_MS)
}
