/** One text, document or page as structured data: fetched or drawn, read in the document pool, filled by a model. */
import { fail, type Failure, type GuardedResponse, type SkillContext } from '#kernel'
import { askModel, MODEL_TIMEOUT_MS, type ModelSettings, jobFailure } from '#skillkit'
import { callTime, type CallTime } from '../../shared/call-time.ts'
import type { PdfOutcome } from '../pdf/extract.ts'
import type { PdfOrder } from '../pdf/pdf-order.ts'
import { unsupported } from '../pdf/input.ts'
import { REASONS } from '../reasons.ts'
import { FETCH_MS, LOOKING_MS } from '../times.ts'
import { refusalFailure, statusFailure } from '../refusals.ts'
import { browse, type Browsing } from '../screenshot/browse.ts'
import { capture } from '../screenshot/capture.ts'
import type { DrawnPage } from '../screenshot/shot.ts'
import { DEVICE_VIEWS } from '../screenshot/view.ts'
import { type ExtractInput, NOTHING_FOUND } from './contract.ts'
import { enrich, shapeOfAnswer } from './enrich/ground.ts'
import { questionAbout } from './enrich/question.ts'
import { shapeOf } from './fields/shape.ts'
import type { PageFormat } from './formats.ts'
import type { ExtractOrder, ExtractOutcome } from './worker.ts'

const PDF_MODULE = { url: new URL('../pdf/worker.ts', import.meta.url).href }
const PDF_PAGES_MAX = 100
const MODULE = { url: new URL('./worker.ts', import.meta.url).href }
/** What reading one page has as a rule, and its parts. */
export const PAGE_TIMEOUT_MS = 60_000
const JOB_TIMEOUT_MS = 25_000
const PAGE_BYTES = 10 * 1024 * 1024

const timeOf = ({ timeoutMs }: SkillContext): CallTime => callTime(timeoutMs, PAGE_TIMEOUT_MS)

/** The one source of the input; null where it names none or several. */
export function sourceOf(input: ExtractInput): 'text' | 'html' | 'url' | null {
  const given = (['text', 'html', 'url'] as const).filter((name) => input[name] !== undefined)
  return given.length === 1 ? given[0]! : null
}

/** The input as the job takes it; a page is fetched here, through every guard. */
async function orderOf(
  ctx: SkillContext,
  input: ExtractInput,
  browsing: Browsing,
): Promise<ExtractOrder | Failure> {
  const source = sourceOf(input)!
  const { schema, instruction, formats } = input
  const wish = {
    ...(schema && { schema }),
    ...(instruction !== undefined && { instruction }),
    ...(formats && { formats: formats as PageFormat[] }),
  }
  if (source !== 'url')
    return { source, content: input[source]!, contentType: null, url: null, ...wish }
  if (input.render) {
    const drawn = await drawnPage(ctx, input, browsing)
    if (!drawn.ok) return drawn
    return { source, content: drawn.html, contentType: 'text/html', url: drawn.url, ...wish }
  }
  const page = await ctx.fetch(input.url!, {
    robots: true,
    maxBytes: PAGE_BYTES,
    timeoutMs: timeOf(ctx).limitMs(FETCH_MS),
    signal: ctx.signal,
    headers: {
      accept:
        'text/html,application/xhtml+xml,application/xml;q=0.9,application/json;q=0.8,text/*;q=0.7,*/*;q=0.1',
      'accept-language': 'en,*;q=0.5',
      ...input.headers,
    },
  })
  if (!page.ok) return refusalFailure(page)
  if (page.status < 200 || page.status > 299) return statusFailure(page.status)
  if (isPdf(page.body)) return pdfOrder(ctx, page, wish)
  return {
    source,
    content: page.body,
    contentType: page.headers.get('content-type'),
    url: page.url,
    ...wish,
  }
}

/** The page as its scripts left it, drawn by a browser of the house. */
function drawnPage(
  ctx: SkillContext,
  { url, wait_for: waitFor }: ExtractInput,
  browsing: Browsing,
): Promise<DrawnPage | Failure> {
  return browse(ctx, browsing, url!, (browser, address, options) =>
    capture(
      browser,
      {
        url: address,
        ...DEVICE_VIEWS.desktop,
        fullPage: false,
        format: 'html',
        ...(waitFor !== undefined && { waitFor }),
      },
      options,
    ),
  )
}

const isPdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 1024)).toString('latin1').includes('%PDF-')

/** A PDF behind an address, as its text: read by the engine of utils.pdf_extract. */
async function pdfOrder(
  ctx: SkillContext,
  { body, url }: Pick<GuardedResponse, 'body' | 'url'>,
  wish: Partial<ExtractOrder>,
): Promise<ExtractOrder | Failure> {
  const order: PdfOrder = {
    bytes: body,
    includeTables: true,
    maxPages: PDF_PAGES_MAX,
    include: ['markdown'],
    lookingMs: timeOf(ctx).budgetMs(LOOKING_MS),
  }
  const outcome = await ctx.jobs.run<PdfOutcome>(PDF_MODULE, 'run', order, {
    timeoutMs: timeOf(ctx).limitMs(JOB_TIMEOUT_MS),
    memoryMib: 1024,
    signal: ctx.signal,
  })
  if (!outcome.ok) return jobFailure(outcome, 'The PDF')
  if (!outcome.value.ok) return unsupported('/url', outcome.value.reason, outcome.value.message)
  const { pages } = outcome.value.output
  return {
    source: 'url',
    content: pages.map(({ text }) => text).join('\n\n'),
    markdown: pages.map(({ markdown }) => markdown ?? '').join('\n\n'),
    contentType: 'text/plain',
    url,
    ...wish,
  }
}

/** Gaps filled by the model, or the failure of a caller who insisted on it. */
async function enriched(
  ctx: SkillContext,
  input: ExtractInput,
  found: Extract<ExtractOutcome, { ok: true }>,
  settings: ModelSettings,
) {
  const { schema, instruction } = input
  const asked = await askModel(
    settings,
    ctx.fetch,
    questionAbout(found.text, { schema, instruction }),
    ctx.signal,
    timeOf(ctx).limitMs(MODEL_TIMEOUT_MS),
  )
  if (!asked.ok) {
    if (input.require_llm)
      return fail('PROCESSING_FAILURE', asked.message, {
        retryable: true,
        details: { reason: REASONS.model },
      })
    return {
      ok: true as const,
      data: found.data,
      enrichment: { model: settings.model, fields: [], dropped: 0, error: asked.message },
    }
  }
  if (schema) {
    const { data, taken, dropped } = enrich(shapeOf(schema), found.data, asked.answer, found.text)
    return {
      ok: true as const,
      data,
      enrichment: { model: settings.model, fields: taken, dropped },
    }
  }
  const given = (found.data as { requested?: unknown }).requested ?? null
  const { data, taken, dropped } = enrich(
    shapeOfAnswer(asked.answer),
    given,
    asked.answer,
    found.text,
  )
  return {
    ok: true as const,
    data: { ...(found.data as object), requested: data },
    enrichment: {
      model: settings.model,
      fields: taken.map((pointer) => `/requested${pointer}`),
      dropped,
    },
  }
}

/** What the input says, in the shape that is wanted; `release` where it says nothing. */
export async function extractOne(
  ctx: SkillContext,
  input: ExtractInput,
  settings: ModelSettings | null,
  browsing: Browsing,
) {
  const order = await orderOf(ctx, input, browsing)
  if ('ok' in order) return order
  const outcome = await ctx.jobs.run<ExtractOutcome>(MODULE, 'extract', order, {
    timeoutMs: timeOf(ctx).limitMs(JOB_TIMEOUT_MS),
    memoryMib: 1024,
    signal: ctx.signal,
  })
  if (!outcome.ok) return jobFailure(outcome, 'The document')
  const found = outcome.value
  if (!found.ok)
    return fail('UNSUPPORTED_FORMAT', found.message, { details: { reason: REASONS.content_type } })
  const wantsModel =
    input.schema !== undefined || input.instruction !== undefined || input.require_llm === true
  const result =
    settings && wantsModel
      ? await enriched(ctx, input, found, settings)
      : { ok: true as const, data: found.data, enrichment: null }
  if (!result.ok) return result
  const path = { ...found.paths }
  for (const pointer of result.enrichment?.fields ?? []) path[pointer] = 'model'
  // Nulls are no work that anybody pays for; what a model found is.
  const isFree = found.isEmpty && (result.enrichment?.fields ?? []).length === 0
  const warnings = [...(isFree ? [NOTHING_FOUND] : []), ...found.warnings]
  return {
    ok: true as const,
    ...(isFree && { bill: 'release' as const }),
    output: {
      data: result.data,
      ...(found.formats && { formats: found.formats }),
      meta: {
        source: order.source,
        path,
        engine: found.engine,
        ...(order.url && { url: order.url }),
        ...(found.title && { title: found.title }),
        confidence: found.confidence,
        ...(result.enrichment && { enrichment: result.enrichment }),
        ...(warnings.length > 0 && { warnings }),
      },
    },
  }
}
