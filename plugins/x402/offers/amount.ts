/**
 * Prices are in millionths of a dollar, and a token counts units of its own: a dollar token with 6
 * decimals has one unit for each, others have more or fewer.
 */

const PRICE_DECIMALS = 6

/** Units of a token with so many decimals for a price in millionths of a dollar, rounded up. */
export function unitsOf(decimals: number, amountAtomic: bigint): bigint {
  if (decimals >= PRICE_DECIMALS) return amountAtomic * 10n ** BigInt(decimals - PRICE_DECIMALS)
  const size = 10n ** BigInt(PRICE_DECIMALS - decimals)
  return (amountAtomic + size - 1n) / size
}

/** Millionths of a dollar that so many units of the token are, rounded down. */
export function amountOfUnits(decimals: number, units: bigint): bigint {
  return decimals >= PRICE_DECIMALS
    ? units / 10n ** BigInt(decimals - PRICE_DECIMALS)
    : units * 10n ** BigInt(PRICE_DECIMALS - decimals)
}
