/** The service `documents`: what documents of the gateway are made of, and the texts that a plugin makes. */
import type { Config } from '../config/config.ts'
import { adminHostOf, isAtOperators } from '../http/admin-origin.ts'
import type { DocumentTexts, Documents, OperatorFacts } from '../plugins/services.ts'
import { homesOf } from '../products/homes.ts'
import type { Route } from '../plugins/route.ts'
import type { ProductRegistry } from '../products/registry.ts'
import type { ReceiptSigners } from '../metering/receipts.ts'
import type { RailRegistry } from '../rails/registry.ts'
import { VERSION } from '../version.ts'

export interface DocumentDeps {
  config: Config
  registry: ProductRegistry
  rails: Pick<RailRegistry, 'creditsFirst'>
  signers: Pick<ReceiptSigners, 'list'>
  /** The gateway's own routes. */
  routes: readonly Route[]
  readiness: Documents['readiness']
}

/** The service, and what sets the plugin's part of it. */
export function createDocuments(deps: DocumentDeps): {
  documents: Documents
  setTexts(texts: DocumentTexts): void
} {
  const { config, registry, rails, signers, routes, readiness } = deps
  let texts: DocumentTexts | null = null
  const made = (): DocumentTexts => {
    if (texts === null) throw new Error('no plugin makes the documents of this gateway')
    return texts
  }
  const documents: Documents = {
    openapi: () => made().openapi(),
    llms: () => made().llms(),
    prices: () => made().prices(),
    operator: operatorFacts(config),
    contactEmail: config.contactEmail,
    version: VERSION,
    rails: () => rails.creditsFirst(),
    routes: () => [...routes, ...registry.current().routes],
    tagDescriptions: () => registry.current().tagDescriptions,
    receiptHeaders: () => signers.list().flatMap(({ answerHeaders }) => answerHeaders),
    homes: (url) => homesAt({ config, registry }, url),
    readiness,
  }
  return { documents, setTexts: (given) => (texts = given) }
}

/** Whose gateway it is. */
function operatorFacts(config: Config): OperatorFacts {
  return {
    name: config.operatorName,
    logoUrl: config.operatorLogoUrl,
    termsUrl: config.termsUrl,
    privacyUrl: config.privacyUrl,
    supportUrl: config.supportUrl,
  }
}

/** Pages of products that whoever asks at `url` may be led to. */
function homesAt(
  { config, registry }: { config: Config; registry: ProductRegistry },
  url: string,
): { path: string; title: string }[] {
  // Whoever is not at the operators' origin learns nothing of the pages there.
  return homesOf(registry.current().products).filter(
    ({ forOperators }) => !forOperators || isAtOperators(url, adminHostOf(config.adminUrl)),
  )
}
