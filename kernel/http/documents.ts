/** The generated documents (openapi.json, llms.txt, prices), made once per snapshot. */
import type { Catalog } from '../plugins/catalog.ts'
import type { Route } from '../plugins/contract.ts'
import type { Documents } from '../plugins/services.ts'
import { llmsTxt } from './llms.ts'
import { openApiOf, type OpenApiFacts } from './openapi.ts'

export interface DocumentDeps {
  catalog: Catalog
  facts: OpenApiFacts
  /** Kernel routes and the routes that plugins add at this moment. */
  routes(): readonly Route[]
  /** The price table in force, as GET /v1/prices shows it. */
  prices(): unknown
}

export function createDocuments(deps: DocumentDeps): Documents {
  const made = new Map<string, { version: string; text: string }>()
  const cached = (name: string, make: () => string): string => {
    const { version } = deps.catalog.current()
    const known = made.get(name)
    if (known?.version === version) return known.text
    const text = make()
    made.set(name, { version, text })
    return text
  }
  return {
    openapi: () =>
      cached('openapi', () =>
        JSON.stringify(openApiOf(deps.facts, deps.routes(), deps.catalog.current())),
      ),
    llms: () => cached('llms', () => llmsTxt(deps.facts.publicUrl, deps.catalog.current())),
    prices: () => cached('prices', () => JSON.stringify(deps.prices())),
  }
}
