/** The `quotes` service: what is for sale at which price, to whom, now and lately. */
import { httpSource, type QuoteBook } from '#kernel'
import { bearerOf, type ServiceParts } from '#kernel/host'

type Asked = Parameters<QuoteBook['visibleTo']>[0]

const BUYS_NOTHING: readonly string[] = []

export function createQuoteBook({
  auth,
  ledger,
  metering,
  pricesSince,
  registry,
}: ServiceParts): QuoteBook {
  const { quotes, rails, accountTerms } = metering
  return {
    http: (mounted) => quotes.http(mounted),
    tool: (mounted, tool) => quotes.tool(mounted, tool),
    pricesSince,
    at: (method, path) => registry.skillAt(method, path),
    identify: (credentials) => auth.identify(credentials),
    ownPrice: (accountId, listed) => accountTerms.of(accountId, listed),
    sellers: (allowed, quote) => rails.sellers(allowed, quote),
    left: ledger,
    priceTable: () => registry.prices.current(),
    priceTableAt: (version) => registry.prices.at(version),
    async visibleTo(asked) {
      const buys = await productsOf(auth, asked)
      return buys && ((productId) => isKnowable(registry, productId, buys.products))
    },
  }
}

/** The products that the caller may buy (`products` null: all); null for an operator. */
async function productsOf(
  auth: ServiceParts['auth'],
  { request, clientAddress, operator }: Asked,
): Promise<{ products: readonly string[] | null } | null> {
  if (operator) return null
  const source = httpSource(request.headers, { clientAddress })
  const found = await auth.identify(source)
  // With an invalid credential, the public prices are shown: they are for everybody.
  if (!found.ok && bearerOf(source.header('authorization'))) {
    if ((await auth.operators.identify(source, clientAddress)).ok) return null
  }
  if (!found.ok || !found.identity) return { products: BUYS_NOTHING }
  return { products: found.identity.products ?? null }
}

/**
 * Whether a caller may learn of a mounted product: everybody of one that is not private, the holder
 * of an API key also of the private ones among `buys` (null: all).
 */
function isKnowable(
  registry: ServiceParts['registry'],
  productId: string,
  buys: readonly string[] | null,
): boolean {
  const product = registry.current().products.get(productId)
  if (product === undefined) return false
  return product.parts.spec.visibility !== 'private' || (buys?.includes(productId) ?? true)
}
