/** utils.pdf_extract: text in reading order and tables of a PDF. */
import { type Static, type TSchema, Type } from 'typebox'
import {
  defineSkill,
  type Failure,
  invalid,
  type ProgressReport,
  type Skill,
  type SkillContext,
  PURE,
} from '#kernel'
import { jobFailure } from '#skillkit'
import { callTime } from '../../shared/call-time.ts'
import { EXAMPLE } from './example.ts'
import { refusalFailure, statusFailure } from '../refusals.ts'
import { FETCH_MS, LOOKING_MS } from '../times.ts'
import type { PdfOutcome } from './extract.ts'
import type { PdfOrder } from './pdf-order.ts'
import { type Extra, EXTRAS } from './extras.ts'
import { checkedFile, PDF_BYTES_MAX, type ReadFile, readFile, unsupported } from './input.ts'
import { pageNumbers } from './pages.ts'
import { OCR_MODES, type OcrMode } from './ocr-modes.ts'

const MODULE = { url: new URL('./worker.ts', import.meta.url).href }
const TIMEOUT_MS = 60_000
const JOB_TIMEOUT_MS = 50_000
/** When recognition (OCR) ends, counted from the file's first byte. */
const OCR_MS = 36_000
/** pdf.js keeps a page's operators twice; a bomb ends here instead of in the gateway. */
const MEMORY_MIB = 1024
/** A file of 10 MiB in base64, with line breaks and the rest of the body. */
const BODY_BYTES = 15 * 1024 * 1024
const PAGES_MAX = 100
/** Base64 of 10 MiB with line breaks; longer strings are refused before they are decoded. */
const TEXT_MAX = Math.ceil((PDF_BYTES_MAX * 4) / 3) + 512 * 1024

const File = (description: string, more: { contentEncoding?: 'base64' } = {}) =>
  Type.Optional(Type.String({ description, maxLength: TEXT_MAX, ...more }))
const Input = Type.Object(
  {
    file_base64: File('The PDF as base64 or as a data: URL.', { contentEncoding: 'base64' }),
    pdf: File('Alias of file_base64.'),
    base64: File('Alias of file_base64.'),
    url: Type.Optional(
      Type.String({
        maxLength: 8192,
        description: 'Instead of a file: http(s) URL of a public PDF; robots.txt is respected.',
      }),
    ),
    password: Type.Optional(Type.String({ maxLength: 1000 })),
    options: Type.Optional(
      Type.Object(
        {
          includeTables: Type.Optional(Type.Boolean({ description: 'Default true.' })),
          maxPages: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: PAGES_MAX,
              description: 'Default 100.',
            }),
          ),
          pages: Type.Optional(
            Type.Union(
              [
                Type.String({ minLength: 1, maxLength: 1000 }),
                Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 1000 }),
              ],
              { description: 'As "1-3,8" or [1, 2, 8]. Default: from the first.' },
            ),
          ),
          include: Type.Optional(
            Type.Array(Type.Enum([...EXTRAS]), {
              maxItems: EXTRAS.length,
              description:
                'What comes besides: markdown per page, csv per table, boxes of words and tables.',
            }),
          ),
          ocr: Type.Optional(
            Type.Enum([...OCR_MODES], {
              description:
                'auto (default): pages without readable text. force: all pages. At most 10 pages.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
const OrNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Box = Type.Array(Type.Number(), {
  description: 'Left, top, right, bottom in points.',
  minItems: 4,
  maxItems: 4,
})
const Output = Type.Object({
  pages: Type.Array(
    Type.Object({
      page: Type.Integer({ description: 'From 1.' }),
      text: Type.String(),
      markdown: Type.Optional(Type.String()),
      width: Type.Optional(Type.Number({ description: 'Points.' })),
      height: Type.Optional(Type.Number({ description: 'Points.' })),
      words: Type.Optional(Type.Array(Type.Object({ text: Type.String(), box: Box }))),
      ocrConfidence: Type.Optional(Type.Number({ description: 'Mean, 0 to 1.' })),
    }),
  ),
  tables: Type.Array(
    Type.Object({
      page: Type.Integer(),
      rows: Type.Array(Type.Array(Type.String()), {
        description: 'Rows of equal length; empty cells are "", a merged cell stands in its first.',
      }),
      csv: Type.Optional(Type.String()),
      box: Type.Optional(Box),
    }),
  ),
  outline: Type.Optional(
    Type.Array(
      Type.Object({ title: Type.String(), level: Type.Integer(), page: OrNull(Type.Integer()) }),
    ),
  ),
  metadata: Type.Optional(Type.Record(Type.String(), OrNull(Type.String()))),
  links: Type.Optional(Type.Array(Type.Object({ page: Type.Integer(), url: Type.String() }))),
  meta: Type.Object({
    pageCount: Type.Integer({ description: 'Pages of the file, read or not.' }),
    bytesDecoded: Type.Integer(),
    engine: Type.String(),
    warnings: Type.Array(
      Type.Object({
        page: Type.Optional(Type.Integer()),
        code: Type.String(),
        message: Type.String(),
      }),
    ),
  }),
})
type PdfInput = Static<typeof Input>

function selection(input: PdfInput): { ok: true; pages?: number[] } | Failure {
  const pages = input.options?.pages
  if (pages === undefined) return { ok: true }
  const found = pageNumbers(pages)
  return found.ok
    ? { ok: true, pages: found.numbers }
    : invalid([{ path: '/options/pages', message: found.message }])
}

/** The PDF of the request; that of a `url` is fetched here, through every guard. */
async function fileOf(ctx: SkillContext, input: PdfInput): Promise<ReadFile> {
  if (input.url === undefined) return readFile(input)
  const answer = await ctx.fetch(input.url, {
    robots: true,
    maxBytes: PDF_BYTES_MAX,
    timeoutMs: callTime(ctx.timeoutMs, TIMEOUT_MS).limitMs(FETCH_MS),
    signal: ctx.signal,
    headers: { accept: 'application/pdf,*/*;q=0.1' },
  })
  if (!answer.ok) return refusalFailure(answer)
  if (answer.status < 200 || answer.status > 299) return statusFailure(answer.status)
  return checkedFile('/url', answer.body)
}

const FIELDS = ['file_base64', 'pdf', 'base64', 'url'] as const
const fieldOf = (input: PdfInput): string => FIELDS.find((name) => input[name] !== undefined)!

async function run(ctx: SkillContext, input: PdfInput) {
  const chosen = selection(input)
  if (!chosen.ok) return chosen
  const file = await fileOf(ctx, input)
  if (!file.ok) return file
  const time = callTime(ctx.timeoutMs, TIMEOUT_MS)
  const order: PdfOrder = {
    bytes: file.bytes,
    includeTables: input.options?.includeTables ?? true,
    maxPages: input.options?.maxPages ?? PAGES_MAX,
    ...(chosen.pages && { pages: chosen.pages }),
    ...(input.password !== undefined && { password: input.password }),
    ...(input.options?.include && { include: input.options.include as Extra[] }),
    ocr: (input.options?.ocr ?? 'auto') as OcrMode,
    ocrMs: time.budgetMs(OCR_MS),
    lookingMs: time.budgetMs(LOOKING_MS),
  }
  const outcome = await ctx.jobs.run<PdfOutcome>(MODULE, 'run', order, {
    timeoutMs: time.limitMs(JOB_TIMEOUT_MS),
    memoryMib: MEMORY_MIB,
    signal: ctx.signal,
    onProgress: (progress) => ctx.progress(progress as ProgressReport),
  })
  if (!outcome.ok) return jobFailure(outcome, 'The PDF')
  const result = outcome.value
  if (!result.ok) return unsupported(`/${fieldOf(input)}`, result.reason, result.message)
  // Empty pages are no work that anybody pays for.
  return {
    ok: true as const,
    ...(result.isEmpty && { bill: 'release' as const }),
    output: result.output,
  }
}

/** The skill utils.pdf_extract (tool extract.pdf). */
export function pdfSkill(): Skill<unknown, typeof Input, typeof Output> {
  return defineSkill<typeof Input, typeof Output>({
    id: 'utils.pdf_extract',
    tools: [{ name: 'extract.pdf' }],
    title: 'Text and tables of a PDF',
    description:
      'Reads a PDF of at most 10 MiB: text in reading order per page (columns, right-to-left, form values), and tables as rows of strings, ruled or only aligned. Pages without text that can be read (scans, unmapped fonts) are recognised (OCR, up to 10); what stays unread is named in meta.warnings, and a file of nothing else is not charged.',
    input: Input,
    output: Output,
    annotations: { ...PURE, openWorldHint: true },
    example: EXAMPLE,
    limits: { timeoutMs: TIMEOUT_MS, bodyBytes: BODY_BYTES },
    check(_ctx, input): Failure | void {
      const chosen = selection(input)
      if (!chosen.ok) return chosen
      if (input.url !== undefined) {
        const other = FIELDS.find((name) => name !== 'url' && input[name] !== undefined)
        const message = `and ${other} are two files: give one of them`
        return other && invalid([{ path: '/url', message }])
      }
      const file = readFile(input)
      if (!file.ok) return file
    },
    handler: run,
  })
}
