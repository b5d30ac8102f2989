import { parseQuantity } from '#kernel/host'

const SIZE_BYTES: Record<string, number> = {
  B: 1,
  kB: 1000,
  KB: 1000,
  MB: 1_000_000,
  KiB: 1024,
  MiB: 1_048_576,
  GiB: 1_073_741_824,
}

/** Bytes of '512KiB', '20MiB', '1GiB' (or decimal kB, MB); null for anything else. */
export function parseSizeBytes(text: string): number | null {
  return parseQuantity(text, SIZE_BYTES)
}
