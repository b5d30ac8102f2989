/** What a PDF says of itself beside its pages: metadata, outline, links. */
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** A type, not an interface: it goes out as a record. */
export type PdfMetadata = {
  title: string | null
  author: string | null
  subject: string | null
  keywords: string | null
  creator: string | null
  producer: string | null
  /** RFC 3339, as far as the file says. */
  created: string | null
  modified: string | null
}
export interface OutlineItem {
  title: string
  /** From 1. */
  level: number
  page: number | null
}
export interface PdfLink {
  page: number
  url: string
}

const OUTLINE_MAX = 2_000
const LEVEL_MAX = 20
const LINKS_MAX = 2_000
const TEXT_MAX = 2_000

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, TEXT_MAX) : null

/** D:20260102030405+01'00' as 2026-01-02T03:04:05+01:00 (ISO 32000-1 7.9.4); null for anything else. */
export function dateOf(value: unknown): string | null {
  const match =
    /^(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:(Z)|([+-])(\d{2})'?(\d{2})?)?/.exec(
      typeof value === 'string' ? value : '',
    )
  if (!match) return null
  const [, year, month, day, hour, minute, second, utc, sign, zoneHour, zoneMinute] = match
  const date = `${year}-${month ?? '01'}-${day ?? '01'}`
  if (Number.isNaN(Date.parse(date))) return null
  if (hour === undefined) return date
  const zone = utc ? 'Z' : sign ? `${sign}${zoneHour}:${zoneMinute ?? '00'}` : ''
  return `${date}T${hour}:${minute ?? '00'}:${second ?? '00'}${zone}`
}

/** The document information dictionary; null for what it does not say. */
export async function metadataOf(pdf: PDFDocumentProxy): Promise<PdfMetadata> {
  const found = await pdf.getMetadata().catch(() => null)
  const info = (found?.info ?? {}) as Record<string, unknown>
  return {
    title: textOf(info.Title),
    author: textOf(info.Author),
    subject: textOf(info.Subject),
    keywords: textOf(info.Keywords),
    creator: textOf(info.Creator),
    producer: textOf(info.Producer),
    created: dateOf(info.CreationDate),
    modified: dateOf(info.ModDate),
  }
}

type Node = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number]

/** The outline (bookmarks) in reading order; empty when there is none. */
export async function outlineOf(pdf: PDFDocumentProxy): Promise<OutlineItem[]> {
  const roots = await pdf.getOutline().catch(() => null)
  const items: OutlineItem[] = []
  const visit = async (nodes: readonly Node[], level: number): Promise<void> => {
    for (const node of nodes) {
      if (items.length >= OUTLINE_MAX) return
      const title = textOf(node.title) ?? ''
      items.push({ title, level, page: await pageOf(pdf, node.dest) })
      if (level < LEVEL_MAX) await visit(node.items ?? [], level + 1)
    }
  }
  await visit(roots ?? [], 1)
  return items
}

async function pageOf(pdf: PDFDocumentProxy, dest: Node['dest']): Promise<number | null> {
  try {
    const explicit = typeof dest === 'string' ? await pdf.getDestination(dest) : dest
    const target: unknown = explicit?.[0]
    if (typeof target === 'number') return target + 1
    if (typeof target !== 'object' || target === null) return null
    return (await pdf.getPageIndex(target as Parameters<typeof pdf.getPageIndex>[0])) + 1
  } catch {
    return null
  }
}

/** The web addresses that a page links to, each once. */
export async function linksOf(page: PDFPageProxy, number: number): Promise<PdfLink[]> {
  const annotations = (await page.getAnnotations().catch(() => [])) as {
    subtype?: string
    url?: unknown
  }[]
  const urls = new Set<string>()
  for (const { subtype, url } of annotations)
    if (subtype === 'Link' && typeof url === 'string' && url.length <= TEXT_MAX) urls.add(url)
  return [...urls].slice(0, LINKS_MAX).map((url) => ({ page: number, url }))
}
