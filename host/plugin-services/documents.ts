/** The service `documents`: the data for documents of the gateway, and the texts of a plugin. */
import type { DocumentTexts, Documents } from '#kernel'
import { adminHostOf, homesOf, isAtOperators, VERSION, type ServiceParts } from '#kernel/host'

export function createDocuments({ config, metering, registry, shown }: ServiceParts): Documents {
  const { rails, signers } = metering
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
    rails: () => rails.creditsFirst(),
    routes: () => [...shown.routes, ...registry.current().routes],
    tagDescriptions: () => registry.current().tagDescriptions,
    receiptHeaders: () => signers.list().flatMap(({ answerHeaders }) => answerHeaders),
    // Pages at the operators' origin are shown only there.
    homes: (url) =>
      homesOf(registry.current().products).filter(
        ({ forOperators }) => !forOperators || isAtOperators(url, adminHost),
      ),
    readiness: () => shown.readiness(),
  }
}
