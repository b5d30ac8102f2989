/** OpenAPI, llms.txt and the public prices, made once per snapshot of the catalog and set of rails. */
import type { Catalog, DocumentedRail, Documents, DocumentTexts, QuoteBook } from '#kernel'
import { llmsTxt } from './llms.ts'
import { openApiOf, type OpenApiFacts } from './openapi.ts'
import { shownTable } from './price-routes.ts'

export interface TextDeps {
  catalog: Catalog
  documents: Pick<Documents, 'rails' | 'routes' | 'tagDescriptions' | 'receiptHeaders'>
  quotes: Pick<QuoteBook, 'priceTable'>
  facts: OpenApiFacts
}

/** Each made anew after a product or a rail has come, changed or gone. */
export function createTexts({ catalog, documents, quotes, facts }: TextDeps): DocumentTexts {
  const made = new Map<
    string,
    { version: string; rails: readonly DocumentedRail[]; text: string }
  >()
  const cached = (name: string, make: (rails: readonly DocumentedRail[]) => string): string => {
    const { version } = catalog.current()
    const rails = documents.rails()
    const known = made.get(name)
    if (known?.version === version && known.rails === rails) return known.text
    const text = make(rails.toSorted((a, b) => a.precedence - b.precedence))
    made.set(name, { version, rails, text })
    return text
  }
  return {
    openapi: () =>
      cached('openapi', (list) =>
        JSON.stringify(
          openApiOf(
            facts,
            documents.routes(),
            catalog.current(),
            {
              list,
              creditsFirst: documents.rails(),
              receiptHeaders: documents.receiptHeaders(),
            },
            documents.tagDescriptions(),
          ),
        ),
      ),
    prices: () => cached('prices', () => JSON.stringify(publicPrices(catalog, quotes))),
    llms: () => cached('llms', (list) => llmsTxt(facts, catalog.current(), list)),
  }
}

/** The price table in force without private products; null before the first snapshot. */
function publicPrices(catalog: Catalog, quotes: TextDeps['quotes']): object | null {
  const table = quotes.priceTable()
  const { products } = catalog.current()
  const isPublic = ({ product }: { product: string }): boolean => {
    const visibility = products?.get(product)?.parts.spec.visibility
    return visibility !== undefined && visibility !== 'private'
  }
  return table && shownTable({ ...table, skills: table.skills.filter(isPublic) })
}
