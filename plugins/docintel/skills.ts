/** The two skills, docintel.parse_receipt and docintel.parse_invoice: one pipeline, two hints. */
import {
  defineSkill,
  fail,
  type Failure,
  type Result,
  type Skill,
  type SkillContext,
  PURE,
} from '#kernel'
import { askModel, MODEL_TIMEOUT_MS, type ModelSettings, jobFailure } from '#skillkit'
import { callTime } from '../shared/call-time.ts'
import { fillGaps } from './enrich/grounding.ts'
import { questionAbout } from './enrich/question.ts'
import { readSource } from './input/bytes.ts'
import type { ReadJob, ReadOutcome, ReadRefusal } from './pipeline.ts'
import { ParseInput, ParseOutput, TEXT_MAX, type ParseRequest, type ParseResult } from './schema.ts'
import { REASONS } from './reasons.ts'

export interface DocintelConfig {
  ocr?: 'auto' | 'embedded' | 'off'
}

const MODULE = { url: new URL('./worker.ts', import.meta.url).href }
const TIMEOUT_MS = 60_000
const BODY_BYTES = 20 * 1024 * 1024
const JOB_TIMEOUT_MS = 45_000
const JOB_MEMORY_MIB = 1024
const OCR_BUDGET_MS = 34_000

function refusal({ code, message }: ReadRefusal, member: 'text' | 'file_base64'): Failure {
  return fail(code, message, { details: { issues: [{ path: `/${member}`, message }] } })
}

/** No receipt or invoice, or one of which not a single field could be read. */
function yieldsNothing(result: ParseResult): boolean {
  const { doc_type: docType, merchant, document_id: id, issued_at: day, total } = result
  if (docType === 'unknown') return true
  const found = [merchant.name, id, day, total, result.tax.vat_amount]
  return found.every((value) => value === null) && result.line_items.length === 0
}

const noModel = (): Failure =>
  fail(
    'PROCESSING_FAILURE',
    'Tier L needs an enrichment model, and this server has none configured',
    {
      details: {
        reason: REASONS.enrichment_unavailable,
        issues: [{ path: '/tier', message: 'L is not available here' }],
      },
    },
  )

/** Lets the model fill gaps where the tier asks for it; `auto` asks only when no total was found. */
async function enrich(
  ctx: SkillContext<DocintelConfig>,
  tier: ReadJob['tier'],
  outcome: ReadOutcome,
  model: ModelSettings | null,
): Promise<Result<ParseResult>> {
  const { result, text } = outcome
  const wanted = tier === 'L' || (tier === 'auto' && result.total === null)
  if (!model || !wanted || result.confidence.overall === 1) return { ok: true, output: result }
  const asked = await askModel(
    model,
    ctx.fetch,
    questionAbout(result.doc_type, text),
    ctx.signal,
    callTime(ctx.timeoutMs, TIMEOUT_MS).limitMs(MODEL_TIMEOUT_MS),
  )
  if (asked.ok) return { ok: true, output: fillGaps(result, asked.answer, text) }
  ctx.log.warn({ reason: asked.message }, 'enrichment failed')
  if (tier === 'L')
    return fail('PROCESSING_FAILURE', asked.message, {
      retryable: true,
      details: { reason: REASONS.enrichment_failed },
    })
  result.warnings.push('enrichment_unavailable')
  return { ok: true, output: result }
}

function parseSkill(
  kind: 'receipt' | 'invoice',
  model: ModelSettings | null,
  example: { input: unknown; output?: unknown },
): Skill<DocintelConfig, typeof ParseInput, typeof ParseOutput> {
  const article = kind === 'receipt' ? 'a receipt' : 'an invoice'
  return defineSkill<typeof ParseInput, typeof ParseOutput, DocintelConfig>({
    id: `docintel.parse_${kind}`,
    tools: [{ name: `parse.${kind}` }],
    title: kind === 'receipt' ? 'Receipt to JSON' : 'Invoice to JSON',
    description: `Reads ${article} (text, PDF, JPEG, PNG or WebP) to JSON: merchant, buyer, number, date, currency, subtotal, tax, total, payment and lines, with a confidence per field. Embedded e-invoice XML is read exactly. What is not printed is null; what is no receipt or invoice, or cannot be read, gives doc_type unknown, no amounts, and is not charged. Give exactly one of text and file_base64.`,
    input: ParseInput,
    output: ParseOutput,
    annotations: PURE,
    example,
    limits: { timeoutMs: TIMEOUT_MS, bodyBytes: BODY_BYTES, concurrency: 16 },
    check(_ctx, input) {
      if (input.tier === 'L' && !model) return noModel()
      const source = readSource(input, TEXT_MAX)
      return source.ok ? undefined : source
    },
    async handler(ctx, input: ParseRequest) {
      const source = readSource(input, TEXT_MAX)
      if (!source.ok) return source
      const time = callTime(ctx.timeoutMs, TIMEOUT_MS)
      const tier = input.tier ?? 'auto'
      const job: ReadJob = {
        source:
          source.kind === 'text'
            ? { kind: 'text', text: (source as { text: string }).text }
            : { kind: source.kind, bytes: (source as { bytes: Uint8Array }).bytes },
        preferred: kind,
        tier,
        nowMs: ctx.now().getTime(),
        ocr: ctx.config.ocr ?? 'auto',
        ocrBudgetMs: time.budgetMs(OCR_BUDGET_MS),
        withEvidence: input.include?.includes('evidence') ?? false,
      }
      const outcome = await ctx.jobs.run<ReadOutcome | ReadRefusal>(MODULE, 'parse', job, {
        timeoutMs: time.limitMs(JOB_TIMEOUT_MS),
        memoryMib: JOB_MEMORY_MIB,
        signal: ctx.signal,
      })
      if (!outcome.ok) return jobFailure(outcome, 'The document')
      if (!outcome.value.ok)
        return refusal(outcome.value, source.kind === 'text' ? 'text' : 'file_base64')
      const { result, text } = outcome.value
      // Work that yields nothing is not charged (contract, Documents).
      if (yieldsNothing(result)) return { ok: true, output: result, bill: 'release' }
      if (input.include?.includes('text')) result.text = text
      return enrich(ctx, tier, outcome.value, model)
    },
  })
}

const RECEIPT_TEXT = `SUNRISE MINI MART SDN BHD
NO 12, JALAN MERDEKA 3,
43000 KAJANG, SELANGOR
TAX INVOICE
Invoice No: SM-00417   Date: 14/03/2024 18:22
MILO 1KG          1 x 21.50    21.50
GARDENIA BREAD    2 x 4.20      8.40
Total (incl. SST)              29.90
Cash                           50.00
Change                         20.10`

const INVOICE_TEXT = `Bluebird Studio Ltd
14 Canal Street, Manchester M1 3HE
VAT No: GB 123456789
INVOICE
Invoice number: BB-2024-031
Invoice date: 2 April 2024
Bill to: Harbour Cafe Ltd
Description              Qty   Unit price   Amount
Menu design               1     450.00       450.00
Subtotal                                    £450.00
VAT 20%                                      £90.00
Total due                                   £540.00`

/** Both skills; `model` is null where no ENRICHMENT_* is set. */
export function docintelSkills(
  model: ModelSettings | null,
): Skill<DocintelConfig, typeof ParseInput, typeof ParseOutput>[] {
  return [
    parseSkill('receipt', model, { input: { text: RECEIPT_TEXT } }),
    parseSkill('invoice', model, { input: { text: INVOICE_TEXT } }),
  ]
}
