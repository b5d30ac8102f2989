/** Reads and scores the documents of a set of others' invoices, for the benches that load one. */
import { parseArgs } from 'node:util'
import type { ReadJob } from '../../../plugins/docintel/pipeline.ts'
import type { ParseResult } from '../../../plugins/docintel/schema.ts'
import type { SaleTruth } from '../../support/docintel-fixtures/others/sale.ts'
import { InvoiceTally, verdictsOf } from './invoice-tally.ts'
import { readInvoice, sourceOf } from './read-invoice.ts'

export interface ScoredDocument {
  name: string
  maker: string
  language: string
  truth: SaleTruth
  absent: readonly string[]
  /** Rows of text, or else how to draw the PDF. Rows have no page to photograph. */
  text?: string
  pdf?: () => Promise<Uint8Array>
  /** What stands on a later page than the photographed one. */
  absentInPhoto: readonly string[]
  /**
   * What it is to an accountant, or "none" where it asks for no money; the ninth set says it in its truth,
   * those before do not.
   */
  kind?: string
  /** ISO 4217; empty where none is printed. */
  currency?: string
  /** Whether its faults may be shown to those who write rules. */
  mayShow: boolean
}

export interface ScoreOptions {
  folder: string
  part: string | undefined
  faults: string | undefined
  text: boolean
  only: string | undefined
  /** Shares are printed of all together, and of each "maker" or "language" unless this is "all". */
  by: string
  photos: boolean
  every: number
}

/** The options of the command line. */
export function scoreOptions(): ScoreOptions {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string' },
      part: { type: 'string' },
      faults: { type: 'string' },
      text: { type: 'boolean', default: false },
      only: { type: 'string' },
      by: { type: 'string', default: 'maker' },
      photos: { type: 'boolean', default: false },
      every: { type: 'string', default: '1' },
    },
  })
  const { folder, part, faults, only } = values
  if (!folder) throw new Error('--folder names the folder with the unpacked packages')
  return { ...values, folder, part, faults, only, every: Number(values.every) }
}

/** Prints a truth and beside it what was read. */
export function printFault(name: string, truth: SaleTruth, result: ParseResult): void {
  console.log(`## ${name}`, JSON.stringify(truth))
  console.log(
    JSON.stringify({
      kind: result.document_kind,
      total: result.total,
      date: result.issued_at,
      due: result.due_date,
      id: result.document_id,
      net: result.subtotal,
      vat: result.tax.vat_amount,
      seller: result.merchant.name,
      buyer: result.buyer?.name,
      goods: result.line_items.map((item) => [
        item.description,
        item.quantity,
        item.unit_price,
        item.amount,
      ]),
      warnings: result.warnings,
    }),
  )
}

/**
 * The verdicts of a document that was read; of one that asks for no money there is a single one. What is
 * given of these has no confidence, so it is left out of the curves.
 */
function judge(
  document: ScoredDocument,
  { result, text }: Pick<Awaited<ReturnType<typeof readInvoice>>, 'result' | 'text'>,
  absent: readonly string[],
): ReturnType<typeof verdictsOf> {
  const { truth } = document
  const kind = document.kind ?? truth.kind
  const currency = document.currency ?? truth.currency
  const given = result.document_kind
  if (kind === 'none' || kind === 'not_a_bill') {
    const isRefused = result.total === null || ['proforma', 'unknown'].includes(given)
    return { refused: [Number(isRefused), false, 0] }
  }
  const verdicts = verdictsOf(result, text, truth, absent)
  if (currency) verdicts['currency'] = [Number(result.currency === currency), false, 0]
  if (kind === 'credit_note') verdicts['credit note'] = [Number(given === kind), false, 0]
  return verdicts
}

/** Prints the shares that are right of the documents asked for, named `set`. */
export async function scoreSet(
  documents: readonly ScoredDocument[],
  set: string,
  options: ScoreOptions,
): Promise<void> {
  const tally = new InvoiceTally()
  for (const [at, document] of documents.entries()) {
    if (at % options.every !== 0) continue
    if (options.only && !document.name.startsWith(options.only)) continue
    const { name, truth } = document
    if (options.photos && !document.pdf) continue
    const source: ReadJob['source'] = document.pdf
      ? await sourceOf(await document.pdf(), at, options.photos)
      : { kind: 'text', text: document.text ?? '' }
    const { result, text, cpuMs } = await readInvoice(name, source)
    const absent = [...document.absent, ...(options.photos ? document.absentInPhoto : [])]
    const verdicts = judge(document, { result, text }, absent)
    const { by } = options
    const group = by === 'all' ? [] : [by === 'maker' ? document.maker : document.language]
    tally.add(verdicts, set, ['all', ...group], cpuMs)
    const fault = options.faults
    if (fault && document.mayShow && (verdicts[fault]?.[0] ?? 1) < 1) {
      printFault(name, truth, result)
      if (options.text) console.log(text)
    }
  }
  tally.print()
}
