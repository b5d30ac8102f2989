/** The document-pool side of utils.extract: bytes or text in, data and its places out. */
import type { JobHandlers } from '#kernel'
import { guessLanguage } from './article/language.ts'
import { parsePage, textOf } from './dom/tree.ts'
import { fill, type Paths } from './fields/fill.ts'
import { sourcesOfPage, type FactSources } from './fields/fact-sources.ts'
import { pairsOfText } from './fields/pairs.ts'
import { schemaOfInstruction } from './fields/instruction.ts'
import { shapeOf } from './fields/shape.ts'
import { decodeBytes } from './input/decode.ts'
import {
  describeFeed,
  type Feed,
  markdownOfFeed,
  readFeed,
  sourcesOfFeed,
  textOfFeed,
} from './input/feed.ts'
import { sourcesOfJson, tablesOfText, sourcesOfText, titleOfText } from './input/text.ts'
import { kindOfInput } from './input/kind.ts'
import type { PageFormat, PageForms } from './formats.ts'
import { readPage, type Page } from './page.ts'
import {
  cutWarnings,
  describePage,
  formsOf,
  saysNothing,
  shownPairs,
  shownTables,
  type Warning,
} from './page-answer.ts'

export interface ExtractOrder {
  source: 'text' | 'html' | 'url'
  /** Given by the caller, or fetched. */
  content: string | Uint8Array
  contentType: string | null
  url: string | null
  /** Absent: everything found is returned. */
  schema?: unknown
  /** What the caller asks for in words; without a schema the fields it names come as `requested`. */
  instruction?: string
  /** Other forms of the page that are asked for. */
  formats?: readonly PageFormat[]
  /** The Markdown of what was read already; `content` is its text. */
  markdown?: string
}
export type ExtractOutcome =
  | {
      ok: true
      data: unknown
      formats?: PageForms
      paths: Paths
      engine: string
      title: string | null
      /** Nothing was found: no value that was asked for, or nothing on the page at all. */
      isEmpty: boolean
      /** Share of asked-for values that were found, 0..1. */
      confidence: number
      /** Lists that are shown in part. */
      warnings: readonly Warning[]
      /** What a model may read to fill gaps, and what its values are checked against. */
      text: string
    }
  | { ok: false; message: string }

const CONTENT_MAX = 12_000_000

function countLeaves(value: unknown): { all: number; found: number } {
  if (Array.isArray(value)) {
    const inner = value.map(countLeaves)
    if (inner.length === 0) return { all: 1, found: 0 }
    return {
      all: inner.reduce((sum, one) => sum + one.all, 0),
      found: inner.reduce((sum, one) => sum + one.found, 0),
    }
  }
  if (typeof value === 'object' && value !== null) {
    return Object.values(value)
      .map(countLeaves)
      .reduce((sum, one) => ({ all: sum.all + one.all, found: sum.found + one.found }), {
        all: 0,
        found: 0,
      })
  }
  return { all: 1, found: value === null || value === undefined ? 0 : 1 }
}

const rounded = (share: number): number => Math.round(share * 100) / 100

function filled(
  schema: unknown,
  sources: FactSources,
  engine: string,
  title: string | null,
  text: string,
): ExtractOutcome {
  const { data, paths } = fill(shapeOf(schema), sources)
  const { all, found } = countLeaves(data)
  return {
    ok: true,
    data,
    paths,
    engine,
    title,
    text,
    warnings: [],
    isEmpty: found === 0,
    confidence: rounded(all === 0 ? 0 : found / all),
  }
}

function extractPage(html: string, order: ExtractOrder): ExtractOutcome {
  const page = readPage(html, order.url)
  const outcome = dataOfPage(page, order)
  return order.formats && outcome.ok
    ? {
        ...outcome,
        formats: formsOf(page, order.formats),
        // What stands in another form was found as well.
        isEmpty: outcome.isEmpty && saysNothing(page),
      }
    : outcome
}

function dataOfPage(page: Page, order: ExtractOrder): ExtractOutcome {
  const { summary } = page
  const text = `${summary.title ?? ''}\n${summary.text}\n${summary.visible}`
  if (order.schema !== undefined)
    return filled(
      order.schema,
      sourcesOfPage(page.document, page.harvest, summary),
      'schema',
      summary.title,
      text,
    )
  const known = [
    summary.title,
    summary.authors[0],
    summary.published_at,
    summary.text || null,
    summary.description,
    summary.language,
  ]
  const { data, warnings } = describePage(page)
  const outcome: ExtractOutcome = {
    ok: true,
    data,
    warnings,
    paths: Object.fromEntries(
      Object.entries(summary.paths).map(([field, path]) => [`/${field}`, path]),
    ),
    engine: summary.engine,
    title: summary.title,
    text,
    isEmpty: saysNothing(page),
    confidence: rounded(
      known.filter((one) => one !== null && one !== undefined).length / known.length,
    ),
  }
  return withRequested(
    outcome,
    sourcesOfPage(page.document, page.harvest, summary),
    order.instruction,
  )
}

function extractText(text: string, order: ExtractOrder): ExtractOutcome {
  const title = titleOfText(text)
  if (order.schema !== undefined)
    return filled(order.schema, sourcesOfText(text), 'schema', title, text)
  const facts = sourcesOfText(text).facts()
  const value = (key: string): unknown => facts.find((fact) => fact.key === key)?.value ?? null
  const details = pairsOfText(text)
  const data = {
    type: 'text',
    title,
    author: value('author'),
    language: guessLanguage(text),
    text: text.trim(),
    word_count: text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0,
    details: shownPairs(details),
    tables: shownTables(tablesOfText(text)),
    email: value('email'),
    phone: value('phone'),
    price: value('price'),
  }
  const outcome: ExtractOutcome = {
    ok: true,
    data,
    paths: {},
    engine: 'text',
    title,
    text,
    warnings: cutWarnings({ details }),
    isEmpty: text.trim() === '',
    confidence: title === null ? 0.5 : 0.8,
  }
  return withRequested(outcome, sourcesOfText(text), order.instruction)
}

function extractJson(source: string, order: ExtractOrder): ExtractOutcome | null {
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    return null
  }
  if (order.schema !== undefined)
    return filled(order.schema, sourcesOfJson(value), 'schema', null, source)
  return {
    ok: true,
    data: { type: 'json', json: value },
    paths: { '/json': '$' },
    engine: 'json',
    title: null,
    text: source,
    warnings: [],
    isEmpty: false,
    confidence: 1,
  }
}

function extractFeed(feed: Feed, order: ExtractOrder): ExtractOutcome {
  const text = textOfFeed(feed)
  const formats = order.formats && {
    formats: {
      ...(order.formats.includes('markdown') && { markdown: markdownOfFeed(feed) }),
      ...(order.formats.includes('links') && {
        links: feed.items.flatMap(({ title, url }) => (url ? [{ text: title ?? url, url }] : [])),
      }),
    },
  }
  const sources = sourcesOfFeed(feed)
  if (order.schema !== undefined)
    return { ...filled(order.schema, sources, 'schema', feed.title, text), ...formats }
  const outcome: ExtractOutcome = {
    ok: true,
    data: describeFeed(feed),
    ...formats,
    paths: { '/items': feed.format === 'atom' ? 'atom.entry' : 'rss.item' },
    engine: 'feed',
    title: feed.title,
    text,
    warnings: [],
    isEmpty: feed.items.length === 0 && text === '',
    confidence: 1,
  }
  return withRequested(outcome, sources, order.instruction)
}

/** The fields that an instruction names, beside everything else. */
function withRequested(
  outcome: ExtractOutcome,
  sources: FactSources,
  instruction: string | undefined,
): ExtractOutcome {
  const schema = instruction === undefined ? null : schemaOfInstruction(instruction)
  if (!outcome.ok || schema === null) return outcome
  const { data, paths } = fill(shapeOf(schema), sources)
  const prefixed = Object.entries(paths).map(([pointer, path]) => [`/requested${pointer}`, path])
  return {
    ...outcome,
    isEmpty: outcome.isEmpty && countLeaves(data).found === 0,
    data: { requested: data, ...(outcome.data as object) },
    paths: { ...outcome.paths, ...Object.fromEntries(prefixed) },
  }
}

/** The forms of a text: itself, as far as it is asked for. */
const formsOfText = (order: ExtractOrder, text: string): PageForms => ({
  ...(order.formats?.includes('markdown') && { markdown: order.markdown ?? text.trim() }),
})

export function runExtract(order: ExtractOrder): ExtractOutcome {
  const outcome = extracted(order)
  if (!outcome.ok || !order.formats || outcome.formats) return outcome
  return { ...outcome, formats: formsOfText(order, outcome.text) }
}

function extracted(order: ExtractOrder): ExtractOutcome {
  const { content, contentType } = order
  const kind = kindOfInput(order.source, content, contentType)
  if (kind === 'binary') {
    return {
      ok: false,
      message: `Content of type ${contentType ?? 'unknown'} is not text; utils.pdf_extract reads PDF files`,
    }
  }
  const text = (typeof content === 'string' ? content : decodeBytes(content, contentType)).slice(
    0,
    CONTENT_MAX,
  )
  const feed = kind === 'html' || kind === 'xml' ? readFeed(text, order.url) : null
  if (feed) return extractFeed(feed, order)
  if (kind === 'json') return extractJson(text, order) ?? extractText(text, order)
  if (kind === 'html') return extractPage(text, order)
  if (kind === 'xml')
    return extractText(
      textOf(parsePage(text.replaceAll(/<!\[CDATA\[([\s\S]*?)\]\]>/g, '$1'))),
      order,
    )
  return extractText(text, order)
}

export default { extract: runExtract } satisfies JobHandlers
