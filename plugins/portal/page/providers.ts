/** Where credits come from in the words of buyers, for the pages and for receipts. */

const NAMES: Readonly<Record<string, string>> = {
  provider_a: 'card or bank (provider A)',
  provider_b: 'card or mobile money (provider B)',
}

export function providerName(provider: string): string {
  return NAMES[provider] ?? provider
}

/** Ledger accounts on the other side that a buyer would not understand by their name. */
const SOURCES: ReadonlyMap<string, string> = new Map([
  ['adjustment', 'the operator'],
  ['sandbox', 'test money of the sandbox'],
  ['transfer', 'another account'],
])

/** What credits came from, of the ledger account on the other side of their entry. */
export function sourceName(source: string): string {
  const known = SOURCES.get(source)
  if (known !== undefined) return known
  return source.startsWith('topup:') ? providerName(source.slice('topup:'.length)) : source
}
