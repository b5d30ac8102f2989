/** Judges what was read of made invoices, as words of a page and as photos, against their truth. */
import { readDocument } from '../../../plugins/docintel/pipeline.ts'
import type { ParseResult } from '../../../plugins/docintel/schema.ts'
import { understand } from '../../../plugins/docintel/understand/understand.ts'
import { MONO, SANS } from '../../support/docintel-fixtures/fonts.ts'
import {
  LAYOUTS,
  madeInvoice,
  type MadeInvoice,
} from '../../support/docintel-fixtures/made/layouts.ts'
import { madePhoto, photoLook } from '../../support/docintel-fixtures/made/photo.ts'
import { LANGUAGES } from '../../support/docintel-fixtures/made/words.ts'
import { seeded } from '../../support/docintel-fixtures/random.ts'

const NOW_MS = Date.UTC(2025, 0, 1)

export const squash = (text: string | null | undefined): string =>
  (text ?? '').toLowerCase().replaceAll(/[^\p{L}\d]/gu, '')
/** The same without the marks of letters, which OCR loses. */
const fold = (text: string | null | undefined): string =>
  squash(text).normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'b').replaceAll('ł', 'l')
const near = (a: number | null, b: number): boolean => a !== null && Math.abs(a - b) < 0.006

/** What of a result is right (a share for goods), with the confidence given. */
export function judgeMadeInvoice({ document, truth }: MadeInvoice): {
  result: ParseResult
  verdicts: Record<string, [right: boolean | number, confidence: number | undefined]>
} {
  const result = understand(document, { preferred: 'invoice', now: new Date(NOW_MS) })
  const fields = result.confidence.fields
  const lines = truth.goods.filter((good) =>
    result.line_items.some(
      (item) =>
        near(item.amount, good.amount) &&
        squash(item.description).includes(squash(good.description)),
    ),
  ).length
  return {
    result,
    verdicts: {
      total: [near(result.total, truth.total), fields.total],
      date: [result.issued_at === truth.date, fields.issued_at],
      id: [squash(result.document_id) === squash(truth.id), fields.document_id],
      net: [near(result.subtotal, truth.subtotal), fields.subtotal],
      vat: [near(result.tax.vat_amount, truth.tax), fields['tax.vat_amount']],
      seller: [squash(result.merchant.name) === squash(truth.seller), fields['merchant.name']],
      buyer: [squash(result.buyer?.name) === squash(truth.buyer), fields.buyer],
      due: [result.due_date === truth.due, fields.due_date],
      'goods lines': [lines / truth.goods.length, fields.line_items],
    },
  }
}

/** One value of a photo; `confidence` is null where the value has none of its own. */
export interface PhotoVerdict {
  field: string
  given: unknown
  isRight: boolean
  confidence: number | null
}

const languages = Object.keys(LANGUAGES)
const layouts = [...LAYOUTS.keys()].filter((at) => LAYOUTS[at]!.pages === 1)

/** Draws the k-th photo of a made invoice, reads it, and judges it; processor milliseconds of reading. */
export async function judgeMadePhoto(
  k: number,
): Promise<{ made: MadeInvoice; verdicts: PhotoVerdict[]; cpuMs: number }> {
  const r = seeded(k * 271 + 9)
  const language = languages[k % languages.length]!
  const made = madeInvoice(
    language,
    layouts[(k * 5 + Math.floor(k / 2)) % layouts.length]!,
    300 + k,
  )
  const bytes = await madePhoto(made.pages[0]!, photoLook(k, [SANS, SANS, MONO], r), r)
  const before = process.cpuUsage()
  const outcome = await readDocument({
    source: { kind: 'image/jpeg', bytes },
    preferred: 'invoice',
    tier: 'auto',
    nowMs: NOW_MS,
    ocr: 'embedded',
    ocrBudgetMs: 120_000,
  })
  const { user, system } = process.cpuUsage(before)
  if (!outcome.ok) throw new Error(outcome.message)
  return { made, verdicts: photoVerdicts(made, outcome.result), cpuMs: (user + system) / 1000 }
}

function photoVerdicts({ truth }: MadeInvoice, result: ParseResult): PhotoVerdict[] {
  const sure = result.confidence.fields
  const verdicts: PhotoVerdict[] = []
  const put = (
    field: string,
    given: unknown,
    isRight: boolean,
    confidence: number | null = 0,
  ): void => {
    verdicts.push({ field, given, isRight, confidence })
  }
  put('total', result.total, near(result.total, truth.total), sure.total)
  put('date', result.issued_at, result.issued_at === truth.date, sure.issued_at)
  put('id', result.document_id, squash(result.document_id) === squash(truth.id), sure.document_id)
  put('subtotal', result.subtotal, near(result.subtotal, truth.subtotal), sure.subtotal)
  const vat = result.tax.vat_amount
  put('tax', vat, near(vat, truth.tax), sure['tax.vat_amount'])
  const names = { seller: result.merchant.name, buyer: result.buyer?.name }
  put('seller', names.seller, fold(names.seller) === fold(truth.seller), sure['merchant.name'])
  put('buyer', names.buyer, fold(names.buyer) === fold(truth.buyer), sure.buyer)
  for (const party of ['seller', 'buyer'] as const)
    if (/[^\x20-\x7E]/.test(truth[party])) {
      const isRight = squash(names[party]) === squash(truth[party])
      put(`${party}, letters with marks`, names[party] || null, isRight, null)
    }
  for (const good of truth.goods) {
    const item = result.line_items.find((one) => near(one.amount, good.amount))
    const isRight = fold(item?.description).includes(fold(good.description))
    put('goods', item, isRight, null)
  }
  return verdicts
}
