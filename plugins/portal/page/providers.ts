/** Payment providers in the words of buyers, for the pages and for receipts. */

const NAMES: Readonly<Record<string, string>> = {
  provider_a: 'card or bank (provider A)',
  provider_b: 'card or mobile money (provider B)',
}

export function providerName(provider: string): string {
  return NAMES[provider] ?? provider
}

/** What credits came from, of the ledger account on the other side of their entry. */
export function sourceName(source: string): string {
  return source.startsWith('topup:') ? providerName(source.slice('topup:'.length)) : source
}
