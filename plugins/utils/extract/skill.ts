/**
 * utils.extract: a text, an HTML document or a page on the web as structured data. Fetching is
 * guarded, reading runs in the document pool, and a model only fills what was not found.
 */
import { defineSkill, fail, type Failure, invalid, PURE, type Skill } from '#kernel'
import type { ModelSettings } from '#skillkit'
import { REASONS } from '../reasons.ts'
import type { Browsing } from '../screenshot/browse.ts'
import { type BatchInput, type ExtractInput, Input, Output, WebpageInput } from './contract.ts'
import { extractOne, PAGE_TIMEOUT_MS, sourceOf } from './one.ts'

const BODY_BYTES = 12 * 1024 * 1024

/** Field values of RFC 9110, section 5.5: no line breaks, and nothing beyond Latin-1. */
const HEADER_VALUE = /^[\t -~\u0080-\u00ff]*$/

/** What is wrong with what is wanted of a page, apart from where it is. */
export function wishProblem(
  input: Pick<ExtractInput | BatchInput, 'render' | 'headers' | 'wait_for' | 'require_llm'>,
  settings: ModelSettings | null,
): Failure | null {
  const badHeaders = Object.entries(input.headers ?? {}).filter(
    ([, value]) => value !== undefined && !HEADER_VALUE.test(value),
  )
  if (badHeaders.length > 0)
    return invalid(
      badHeaders.map(([name]) => ({
        path: `/headers/${name}`,
        message: 'must be Latin-1 without line breaks and control characters',
      })),
    )
  if (input.render && input.headers)
    return invalid([{ path: '/headers', message: 'are not sent with render' }])
  if (input.wait_for !== undefined && !input.render)
    return invalid([{ path: '/wait_for', message: 'is for render' }])
  if (!input.require_llm || settings !== null) return null
  return fail(
    'PROCESSING_FAILURE',
    'No enrichment model is configured (ENRICHMENT_URL, ENRICHMENT_MODEL)',
    { details: { reason: REASONS.model } },
  )
}

/** What a price `per` unit may count: the page, and once more where a browser drew it. */
const unitsOf = ({ render }: ExtractInput): { page: number; drawn: number } => ({
  page: 1,
  drawn: render ? 1 : 0,
})

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
      'Give exactly one of text, html or url. Reads embedded metadata (JSON-LD, microdata, RDFa, microformats, OpenGraph), the article with title, author and date, tables and labels; with a schema returns just its keys. Values are never invented: unknown is null, and an answer of nothing but nulls is not charged.',
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
    limits: { timeoutMs: PAGE_TIMEOUT_MS, bodyBytes: BODY_BYTES },
    check(_ctx, input): Failure | void {
      if (sourceOf(input) === null)
        return invalid([{ path: '', message: 'must have exactly one of text, html and url' }])
      const alone = (['render', 'headers', 'wait_for'] as const).find(
        (name) => input[name] !== undefined && input[name] !== false && input.url === undefined,
      )
      if (alone) return invalid([{ path: `/${alone}`, message: 'is for url' }])
      return wishProblem(input, settings) ?? undefined
    },
    mostUnits: unitsOf,
    async handler(ctx, input) {
      const found = await extractOne(ctx, input, settings, browsing)
      return found.ok && found.bill === undefined
        ? { ...found, bill: { units: unitsOf(input) } }
        : found
    },
  })
}
