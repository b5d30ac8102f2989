/**
 * utils.extract: a text, an HTML document or a page on the web as structured data. Fetching is
 * guarded, reading runs in the document pool, and a model only fills what was not found.
 */
import { type Static, Type } from 'typebox'
import {
  defineSkill,
  fail,
  type Failure,
  type GuardedResponse,
  invalid,
  type Skill,
  type SkillContext,
  PURE,
} from '#kernel'
import { askModel, type ModelSettings, jobFailure } from '#skillkit'
import type { PdfOrder, PdfOutcome } from '../pdf/extract.ts'
import { unsupported } from '../pdf/input.ts'
import { refusalFailure, statusFailure } from '../refusals.ts'
import { browse, type Browsing } from '../screenshot/browse.ts'
import { capture, type DrawnPage } from '../screenshot/capture.ts'
import { DEVICE_VIEWS } from '../screenshot/view.ts'
import { enrich, shapeOfAnswer } from './enrich/ground.ts'
import { questionAbout } from './enrich/question.ts'
import { shapeOf } from './fields/shape.ts'
import { PAGE_FORMATS, type PageFormat } from './formats.ts'
import type { ExtractOrder, ExtractOutcome } from './worker.ts'
import { REASONS } from '../reasons.ts'

const PDF_MODULE = { url: new URL('../pdf/worker.ts', import.meta.url).href }
const PDF_PAGES_MAX = 100
const MODULE = { url: new URL('./worker.ts', import.meta.url).href }
const TIMEOUT_MS = 60_000
const JOB_TIMEOUT_MS = 25_000
const BODY_BYTES = 12 * 1024 * 1024
const PAGE_BYTES = 10 * 1024 * 1024
const TEXT_MAX = 10_000_000

/** Request headers that a caller may set; the rest says who we are or how we speak. */
const SENT_HEADERS = ['accept', 'accept-language', 'authorization', 'cookie', 'referer'] as const

const Schema = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), {
    description:
      'JSON Schema (or the short form {"price": "number"}) of the wanted data. Only its keys come back; what the input does not say is null.',
  }),
)
const Instruction = Type.Optional(
  Type.String({ maxLength: 500, description: 'What to extract, in words.' }),
)
const RequireLlm = Type.Optional(
  Type.Boolean({ description: 'Fail (uncharged) when no enrichment model is available.' }),
)
const Url = Type.String({
  maxLength: 8192,
  description: 'http(s) URL of a public page; robots.txt is respected.',
})

const Render = Type.Optional(
  Type.Boolean({ description: 'Draw the page in a browser first, for pages made by scripts.' }),
)
const WaitFor = Type.Optional(
  Type.Union(
    [Type.String({ minLength: 1, maxLength: 500 }), Type.Integer({ minimum: 0, maximum: 10_000 })],
    { description: 'With render: a CSS selector that must be seen first, or milliseconds.' },
  ),
)
const Formats = Type.Optional(
  Type.Array(Type.Enum([...PAGE_FORMATS]), {
    maxItems: PAGE_FORMATS.length,
    description: 'Other forms of the page, beside data.',
  }),
)
const Headers = Type.Optional(
  Type.Object(
    Object.fromEntries(
      SENT_HEADERS.map((name) => [name, Type.Optional(Type.String({ maxLength: 4096 }))]),
    ),
    {
      additionalProperties: false,
      description:
        'Sent to the site of url, and to no other that it redirects to; not with render.',
    },
  ),
)

const Input = Type.Object(
  {
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: TEXT_MAX,
        description: 'Plain text, Markdown, CSV or JSON.',
      }),
    ),
    html: Type.Optional(
      Type.String({ minLength: 1, maxLength: TEXT_MAX, description: 'An HTML document.' }),
    ),
    url: Type.Optional(Url),
    instruction: Instruction,
    schema: Schema,
    require_llm: RequireLlm,
    render: Render,
    wait_for: WaitFor,
    formats: Formats,
    headers: Headers,
  },
  { additionalProperties: false },
)
const WebpageInput = Type.Object(
  {
    url: Url,
    instruction: Instruction,
    schema: Schema,
    require_llm: RequireLlm,
    render: Render,
    wait_for: WaitFor,
    formats: Formats,
    headers: Headers,
  },
  { additionalProperties: false },
)
const Output = Type.Object({
  data: Type.Unknown({ description: 'Shaped by the schema; without one, all that was found.' }),
  formats: Type.Optional(
    Type.Object({
      markdown: Type.Optional(Type.String()),
      html: Type.Optional(Type.String()),
      links: Type.Optional(Type.Array(Type.Object({ text: Type.String(), url: Type.String() }))),
      images: Type.Optional(Type.Array(Type.String())),
      metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
  ),
  meta: Type.Object({
    source: Type.Enum(['text', 'html', 'url']),
    path: Type.Record(Type.String(), Type.String(), {
      description: 'JSON pointer into data → where the value was found.',
    }),
    engine: Type.String(),
    url: Type.Optional(Type.String({ description: 'The address that answered.' })),
    title: Type.Optional(Type.String()),
    confidence: Type.Optional(Type.Number({ description: 'Share of wanted values found, 0..1.' })),
    enrichment: Type.Optional(
      Type.Object({
        model: Type.String(),
        fields: Type.Array(Type.String(), { description: 'Pointers of values from the model.' }),
        dropped: Type.Integer({ description: 'Values of the model that the input does not say.' }),
        error: Type.Optional(Type.String()),
      }),
    ),
    warnings: Type.Optional(
      Type.Array(Type.Object({ code: Type.String(), message: Type.String() }), {
        description: 'nothing_found: no value at all; such an answer is not charged.',
      }),
    ),
  }),
})
const NOTHING_FOUND = {
  code: 'nothing_found',
  message: 'The input says nothing that was asked for; this answer is not charged',
}
type ExtractInput = Static<typeof Input>

function sourceOf(input: ExtractInput): 'text' | 'html' | 'url' | null {
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
  }
  const outcome = await ctx.jobs.run<PdfOutcome>(PDF_MODULE, 'run', order, {
    timeoutMs: JOB_TIMEOUT_MS,
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

async function run(
  ctx: SkillContext,
  input: ExtractInput,
  settings: ModelSettings | null,
  browsing: Browsing,
) {
  const order = await orderOf(ctx, input, browsing)
  if ('ok' in order) return order
  const outcome = await ctx.jobs.run<ExtractOutcome>(MODULE, 'extract', order, {
    timeoutMs: JOB_TIMEOUT_MS,
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
        ...(isFree && { warnings: [NOTHING_FOUND] }),
      },
    },
  }
}

/** The skill utils.extract (tools extract.structured_data and extract.webpage). */
export function extractSkill(
  settings: ModelSettings | null,
  browsing: Browsing,
): Skill<unknown, typeof Input, typeof Output> {
  return defineSkill<typeof Input, typeof Output>({
    id: 'utils.extract',
    tools: [
      { name: 'extract.structured_data' },
      {
        name: 'extract.webpage',
        title: 'Structured data of a web page',
        description:
          'Fetches a public page and returns its data: shaped by a schema, or everything found (metadata, article, tables, lists).',
        input: WebpageInput,
        example: {
          input: {
            url: 'https://example.com/',
            schema: { type: 'object', properties: { title: { type: 'string' } } },
          },
        },
      },
    ],
    title: 'Structured data from text, HTML or a web page',
    description:
      'Give exactly one of text, html or url. Reads embedded metadata (JSON-LD, microdata, RDFa, OpenGraph), the article with title, author and date, tables and labels; with a schema returns just its keys. Values are never invented: unknown is null, and an answer of nothing but nulls is not charged.',
    input: Input,
    output: Output,
    annotations: { ...PURE, openWorldHint: true },
    example: {
      input: {
        text: 'Title: Oak table\nPrice: KSh 1,299.00',
        schema: {
          type: 'object',
          properties: { title: { type: 'string' }, price: { type: 'number' } },
        },
      },
      output: {
        data: { title: 'Oak table', price: 1299 },
        meta: {
          source: 'text',
          path: { '/title': 'line[0]', '/price': 'line[1]' },
          engine: 'schema',
          confidence: 1,
        },
      },
    },
    limits: { timeoutMs: TIMEOUT_MS, bodyBytes: BODY_BYTES },
    check(_ctx, input): Failure | void {
      if (sourceOf(input) === null)
        return invalid([{ path: '', message: 'must have exactly one of text, html and url' }])
      const alone = (['render', 'headers', 'wait_for'] as const).find(
        (name) => input[name] !== undefined && input[name] !== false && input.url === undefined,
      )
      if (alone) return invalid([{ path: `/${alone}`, message: 'is for url' }])
      if (input.render && input.headers)
        return invalid([{ path: '/headers', message: 'are not sent with render' }])
      if (input.wait_for !== undefined && !input.render)
        return invalid([{ path: '/wait_for', message: 'is for render' }])
      if (input.require_llm && settings === null) {
        return fail(
          'PROCESSING_FAILURE',
          'No enrichment model is configured (ENRICHMENT_URL, ENRICHMENT_MODEL)',
          { details: { reason: REASONS.model } },
        )
      }
    },
    handler: (ctx, input) => run(ctx, input, settings, browsing),
  })
}
