/** The generated documents (openapi.json, llms.txt, prices), made once per snapshot and set of rails. */
import type { Catalog } from '../plugins/catalog.ts'
import type { Route } from '../plugins/route.ts'
import type { Documents } from '../plugins/services.ts'
import type { Rail } from '../rails/contract.ts'
import type { ReceiptSigners } from '../rails/receipt-signers.ts'
import type { RailRegistry } from '../rails/registry.ts'
import { llmsTxt } from './llms.ts'
import { openApiOf, type OpenApiFacts } from './openapi.ts'

export interface DocumentDeps {
  catalog: Catalog
  rails: Pick<RailRegistry, 'list' | 'creditsFirst'>
  signers: Pick<ReceiptSigners, 'list'>
  facts: OpenApiFacts
  /** Kernel routes and the routes that plugins add at this moment. */
  routes(): readonly Route[]
  /** What the groups of plugins' routes are for, by tag. */
  tagDescriptions(): ReadonlyMap<string, string>
  /** The price table in force, as GET /v1/prices shows it. */
  prices(): unknown
  homes: Documents['homes']
  readiness: Documents['readiness']
}

export function createDocuments(deps: DocumentDeps): Documents {
  const { catalog, rails, signers, facts } = deps
  const made = new Map<string, { version: string; rails: readonly Rail[]; text: string }>()
  const cached = (name: string, make: () => string): string => {
    const { version } = catalog.current()
    const known = made.get(name)
    if (known?.version === version && known.rails === rails.list()) return known.text
    const text = make()
    made.set(name, { version, rails: rails.list(), text })
    return text
  }
  return {
    openapi: () =>
      cached('openapi', () =>
        JSON.stringify(
          openApiOf(
            facts,
            deps.routes(),
            catalog.current(),
            {
              list: rails.list(),
              creditsFirst: rails.creditsFirst(),
              receiptHeaders: signers.list().flatMap(({ answerHeaders }) => answerHeaders),
            },
            deps.tagDescriptions(),
          ),
        ),
      ),
    llms: () => cached('llms', () => llmsTxt(facts, catalog.current(), rails.list())),
    prices: () => cached('prices', () => JSON.stringify(deps.prices())),
    operator: facts.operator,
    rails: () => rails.creditsFirst(),
    homes: (url) => deps.homes(url),
    readiness: () => deps.readiness(),
  }
}
