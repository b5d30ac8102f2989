/** Addresses in a page: resolved against its base when there is one, else left as written. */
import { attr, byTag, type Document } from '../dom/tree.ts'

/** The absolute URL of a reference; the reference itself when the page has no address. */
export type Resolve = (reference: string) => string

export function resolverOf(page: Document, pageUrl: string | null): Resolve {
  const tag = byTag(page, 'base')[0]
  const declared = tag && attr(tag, 'href')
  let base: string | null = pageUrl
  if (declared) {
    try {
      base = new URL(declared, pageUrl ?? undefined).href
    } catch {
      // A base that is no URL counts for nothing.
    }
  }
  return (reference) => {
    const trimmed = reference.trim()
    if (base === null || trimmed === '') return trimmed
    try {
      return new URL(trimmed, base).href
    } catch {
      return trimmed
    }
  }
}
