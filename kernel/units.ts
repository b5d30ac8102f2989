/** Durations and sizes as operators write them in YAML and in the environment. */

const DURATION_MS: Record<string, number> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}
const SIZE_BYTES: Record<string, number> = {
  B: 1,
  kB: 1000,
  KB: 1000,
  MB: 1_000_000,
  KiB: 1024,
  MiB: 1_048_576,
  GiB: 1_073_741_824,
}

function parseQuantity(text: string, units: Record<string, number>): number | null {
  const match = /^(\d{1,12})\s*([A-Za-z]+)$/.exec(text.trim())
  const factor = match ? units[match[2]!] : undefined
  return match && factor !== undefined ? Number(match[1]) * factor : null
}

/** Milliseconds of '500ms', '10s', '15m', '2h' or '1d'; null for anything else. */
export function parseDurationMs(text: string): number | null {
  return parseQuantity(text, DURATION_MS)
}

/** Bytes of '512KiB', '20MiB', '1GiB' (or decimal kB, MB); null for anything else. */
export function parseSizeBytes(text: string): number | null {
  return parseQuantity(text, SIZE_BYTES)
}
