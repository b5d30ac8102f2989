/** The `quotes` service: what is for sale at which price, to whom, now and lately. */
import { httpSource, purchaseRefusal, type Identity, type PriceRow, type QuoteBook } from '#kernel'
import { bearerOf, type ServiceParts } from '#kernel/host'

type Asked = Parameters<QuoteBook['visibleTo']>[0]

type Buys = Pick<Identity, 'products' | 'skills'>

const BUYS_NOTHING: Buys = { products: [] }

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
      const buys = await buysOf(auth, asked)
      return buys && ((row) => isKnowable(registry, row, buys))
    },
  }
}

/** What the caller may buy (absent lists: everything); null for an operator. */
async function buysOf(
  auth: ServiceParts['auth'],
  { request, clientAddress, operator }: Asked,
): Promise<Buys | null> {
  if (operator) return null
  const source = httpSource(request.headers, { clientAddress })
  const found = await auth.identify(source)
  // With an invalid credential, the public prices are shown: they are for everybody.
  if (!found.ok && bearerOf(source.header('authorization'))) {
    if ((await auth.operators.identify(source, clientAddress)).ok) return null
  }
  return (found.ok && found.identity) || BUYS_NOTHING
}

/**
 * Whether a caller may learn of a skill: everybody of one whose product is not private, the holder of
 * an API key also of the private ones that it may buy.
 */
function isKnowable(
  registry: ServiceParts['registry'],
  { product: productId, skill }: Pick<PriceRow, 'product' | 'skill'>,
  buys: Buys,
): boolean {
  const product = registry.current().products.get(productId)
  if (product === undefined) return false
  if (product.parts.spec.visibility !== 'private') return true
  return purchaseRefusal(buys, { productId, skillId: skill }) === null
}
