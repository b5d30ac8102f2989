/** OpenAPI and llms.txt, made once per snapshot of the catalog and set of rails. */
import type { Catalog, DocumentedRail, Documents, DocumentTexts } from '#kernel'
import { llmsTxt } from './llms.ts'
import { openApiOf, type OpenApiFacts } from './openapi.ts'

export interface TextDeps {
  catalog: Catalog
  documents: Pick<Documents, 'rails' | 'routes' | 'tagDescriptions' | 'receiptHeaders'>
  facts: OpenApiFacts
}

/** Each made anew after a product or a rail has come, changed or gone. */
export function createTexts({ catalog, documents, facts }: TextDeps): DocumentTexts {
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
    llms: () => cached('llms', (list) => llmsTxt(facts, catalog.current(), list)),
  }
}
