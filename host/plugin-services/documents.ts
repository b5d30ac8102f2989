/** The service `documents`: the data for documents of the gateway, and the texts of a plugin. */
import type { DocumentedRail, DocumentTexts, Documents } from '#kernel'
import {
  adminHostOf,
  CREDITS_RAIL_ID,
  documentedRoutes,
  homesOf,
  isAtOperators,
  VERSION,
  type MountedProduct,
  type ServiceParts,
} from '#kernel/host'

export function createDocuments({ config, metering, registry, shown }: ServiceParts): Documents {
  const { rails, signers, accountPages } = metering
  const creditsFirst = orderOnce()
  const adminHost = adminHostOf(config.adminUrl)
  const made = (): DocumentTexts => {
    const texts = shown.texts()
    if (texts === null) throw new Error('no plugin makes the documents of this gateway')
    return texts
  }
  return {
    openapi: () => made().openapi(),
    llms: () => made().llms(),
    prices: () => made().prices(),
    operator: {
      name: config.operatorName,
      logoUrl: config.operatorLogoUrl,
      termsUrl: config.termsUrl,
      privacyUrl: config.privacyUrl,
      supportUrl: config.supportUrl,
    },
    contactEmail: config.contactEmail,
    version: VERSION,
    rails: () => creditsFirst(rails.list()),
    routes: () => [...shown.routes, ...registry.current().routes],
    tagDescriptions: () => tagDescriptions(registry.current().products.values()),
    receiptHeaders: () => signers.list().flatMap(({ answerHeaders }) => answerHeaders),
    // Pages at the operators' origin are shown only there.
    homes: (url) =>
      homesOf(registry.current().products).filter(
        ({ forOperators }) => !forOperators || isAtOperators(url, adminHost),
      ),
    accountPage: () => accountPages.paths(),
    readiness: () => shown.readiness(),
  }
}

/** Sorts prepaid credits before the other rails; the same array for the same list of rails. */
function orderOnce(): (rails: readonly DocumentedRail[]) => readonly DocumentedRail[] {
  let known: readonly DocumentedRail[] = []
  let sorted: readonly DocumentedRail[] = []
  return (rails) => {
    if (rails !== known)
      sorted = rails.toSorted(
        (a, b) => Number(b.id === CREDITS_RAIL_ID) - Number(a.id === CREDITS_RAIL_ID),
      )
    known = rails
    return sorted
  }
}

/** Descriptions of OpenAPI groups: of the product with that title, else of the first route's. */
function tagDescriptions(
  products: Iterable<Pick<MountedProduct, 'parts'>>,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const byTitle = new Map<string, string>()
  for (const { parts } of products) {
    const { title, description } = parts.spec
    const shown = documentedRoutes({ parts })
    if (shown.length > 0) byTitle.set(title, description)
    for (const { tag = title } of shown) if (!found.has(tag)) found.set(tag, description)
  }
  return new Map([...found].map(([tag, first]) => [tag, byTitle.get(tag) ?? first]))
}
