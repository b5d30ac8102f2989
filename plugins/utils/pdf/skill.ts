/** utils.pdf_extract: text in reading order and tables of a PDF. */
import { type Static, Type } from 'typebox'
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
import { EXAMPLE } from './example.ts'
import type { PdfOutcome, PdfOrder } from './extract.ts'
import { PDF_BYTES_MAX, readFile, unsupported } from './input.ts'
import { pageNumbers } from './pages.ts'

const MODULE = { url: new URL('./worker.ts', import.meta.url).href }
const TIMEOUT_MS = 60_000
const JOB_TIMEOUT_MS = 50_000
/** pdf.js keeps a page's operators twice; a bomb ends here instead of in the gateway. */
const MEMORY_MIB = 1024
/** A file of 10 MiB in base64, with line breaks and the rest of the body. */
const BODY_BYTES = 15 * 1024 * 1024
const PAGES_MAX = 100
/** Base64 of 10 MiB with line breaks; longer strings are refused before they are decoded. */
const TEXT_MAX = Math.ceil((PDF_BYTES_MAX * 4) / 3) + 512 * 1024

const File = (description: string) =>
  Type.Optional(Type.String({ description, maxLength: TEXT_MAX }))
const Input = Type.Object(
  {
    file_base64: File('The PDF in standard base64 (a data: URL is accepted); at most 10 MiB.'),
    pdf: File('Alias of file_base64.'),
    base64: File('Alias of file_base64.'),
    options: Type.Optional(
      Type.Object(
        {
          includeTables: Type.Optional(
            Type.Boolean({ description: 'Whether tables are looked for. Default true.' }),
          ),
          maxPages: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: PAGES_MAX,
              description: 'Most pages that are read. Default 100.',
            }),
          ),
          pages: Type.Optional(
            Type.Union(
              [
                Type.String({ minLength: 1, maxLength: 1000 }),
                Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 1000 }),
              ],
              { description: 'Pages to read, as "1-3,8" or [1, 2, 8]. Default: from the first.' },
            ),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
const Output = Type.Object({
  pages: Type.Array(
    Type.Object({
      page: Type.Integer({ description: 'From 1.' }),
      text: Type.String({ description: 'Text in reading order; empty when there is none.' }),
    }),
  ),
  tables: Type.Array(
    Type.Object({
      page: Type.Integer(),
      rows: Type.Array(Type.Array(Type.String()), {
        description: 'Rows of equal length; empty cells are "", a merged cell stands in its first.',
      }),
    }),
  ),
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

async function run(ctx: SkillContext, input: PdfInput) {
  const chosen = selection(input)
  if (!chosen.ok) return chosen
  const file = readFile(input)
  if (!file.ok) return file
  const order: PdfOrder = {
    bytes: file.bytes,
    includeTables: input.options?.includeTables ?? true,
    maxPages: input.options?.maxPages ?? PAGES_MAX,
    ...(chosen.pages && { pages: chosen.pages }),
  }
  const outcome = await ctx.jobs.run<PdfOutcome>(MODULE, 'run', order, {
    timeoutMs: JOB_TIMEOUT_MS,
    memoryMib: MEMORY_MIB,
    signal: ctx.signal,
    onProgress: (progress) => ctx.progress(progress as ProgressReport),
  })
  if (!outcome.ok) return jobFailure(outcome, 'The PDF')
  const result = outcome.value
  if (!result.ok) {
    const field =
      input.file_base64 !== undefined ? 'file_base64' : input.pdf !== undefined ? 'pdf' : 'base64'
    return unsupported(`/${field}`, result.reason, result.message)
  }
  return { ok: true as const, output: result.output }
}

/** The skill utils.pdf_extract (tool extract.pdf). */
export function pdfSkill(): Skill<unknown, typeof Input, typeof Output> {
  return defineSkill<typeof Input, typeof Output>({
    id: 'utils.pdf_extract',
    tools: [{ name: 'extract.pdf' }],
    title: 'Text and tables of a PDF',
    description:
      'Reads a PDF of at most 10 MiB: text in reading order per page (columns, right-to-left, form values), and tables as rows of strings, ruled or only aligned. Scanned pages have no text: they are named in meta.warnings.',
    input: Input,
    output: Output,
    annotations: PURE,
    example: EXAMPLE,
    limits: { timeoutMs: TIMEOUT_MS, bodyBytes: BODY_BYTES },
    check(_ctx, input): Failure | void {
      const chosen = selection(input)
      if (!chosen.ok) return chosen
      const file = readFile(input)
      if (!file.ok) return file
    },
    handler: run,
  })
}
