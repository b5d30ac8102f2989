/** Offers of a 402 for readers that are not sent its headers. */
import type { Offer } from '#kernel'
import type { FreshPart } from '#kernel/host'

/** `offer` with its part for this call, for readers that do not need its headers. */
export function offerFor(offer: Offer, parts: readonly FreshPart[]): Offer {
  const part = parts.find((one) => one.offer === offer)?.part
  if (!part) return offer
  return {
    ...offer,
    body: { ...offer.body, ...part.body },
    ...(part.challenge && { challenge: part.challenge }),
    ...(part.mcpForm && { mcpForm: part.mcpForm }),
  }
}
