/** Judges what was read of invoices by others against their truth, and prints shares and curves. */
import { loadavg } from 'node:os'
import type { ParseResult } from '../../../plugins/docintel/schema.ts'
import type { SaleTruth } from '../../support/docintel-fixtures/others/sale.ts'
import { similar } from '../../support/docintel-fixtures/score.ts'

/** Share that is right, whether anything was given, and the confidence given with it. */
type Verdict = [right: number, given: boolean, confidence: number]

const BANDS = [0.95, 0.9, 0.85, 0.8, 0.7, 0]

const squash = (text: string | null | undefined): string =>
  (text ?? '').toLowerCase().replaceAll(/[^\p{L}\d]/gu, '')
/** The same without accents and other marks of letters. */
const unmarked = (text: string | null | undefined): string =>
  squash(
    (text ?? '')
      .replaceAll(/ł/gi, 'l')
      .replaceAll(/ø/gi, 'o')
      .replaceAll(/æ/gi, 'a')
      .replaceAll('ß', 's')
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, ''),
  )
const near = (a: number | null, b: number): boolean => a !== null && Math.abs(a - b) < 0.006

/** By field; fields that the document does not print are left out. */
export function verdictsOf(
  result: ParseResult,
  text: string,
  truth: SaleTruth,
  absent: readonly string[],
): Record<string, Verdict> {
  const sureOf = result.confidence.fields
  const put = (given: unknown, right: boolean, confidence: number | undefined): Verdict => [
    Number(right),
    given !== null && given !== undefined,
    confidence ?? 0,
  ]
  const goods = truth.goods.filter((good) =>
    result.line_items.some(
      (item) =>
        near(item.amount, good.amount) &&
        squash(item.description).includes(squash(good.description)),
    ),
  ).length
  // The alphabet of the OCR networks has few letters with marks.
  const bare = truth.goods.filter((good) =>
    result.line_items.some(
      (item) =>
        near(item.amount, good.amount) &&
        unmarked(item.description).includes(unmarked(good.description)),
    ),
  ).length
  const { merchant, buyer, tax } = result
  const vat = tax.vat_amount
  const verdicts: Record<string, Verdict> = {
    total: put(result.total, near(result.total, truth.total), sureOf.total),
    date: put(result.issued_at, result.issued_at === truth.date, sureOf.issued_at),
    id: put(
      result.document_id,
      squash(result.document_id) === squash(truth.id),
      sureOf.document_id,
    ),
    net: put(result.subtotal, near(result.subtotal, truth.net), sureOf.subtotal),
    vat: put(vat, near(vat, truth.vat), sureOf['tax.vat_amount']),
    seller: put(
      merchant.name,
      similar(merchant.name ?? '', truth.seller) >= 0.9,
      sureOf['merchant.name'],
    ),
    buyer: put(buyer?.name, similar(buyer?.name ?? '', truth.buyer) >= 0.9, sureOf.buyer),
    due: put(result.due_date, result.due_date === truth.due, sureOf.due_date),
    goods: [goods / truth.goods.length, result.line_items.length > 0, 0],
    'goods without marks': [bare / truth.goods.length, result.line_items.length > 0, 0],
  }
  for (const field of absent) delete verdicts[field]
  // Some layouts print no letterhead.
  if (!squash(text).includes(squash(truth.seller))) delete verdicts['seller']
  return verdicts
}

interface Share {
  right: number
  wrong: number
  all: number
}

const percent = (part: number, all: number): string => ((100 * part) / all).toFixed(1)

/** Shares by group and by confidence, and the processor time of documents. */
export class InvoiceTally {
  private readonly table: Record<string, Record<string, Share>> = {}
  private readonly sure: Record<string, { right: number; all: number }> = {}
  private readonly curve: Record<string, { right: number; all: number }> = {}
  private readonly cpuMs: number[] = []

  /** Counts a document in its groups; `set` is the group of the curves. */
  add(
    verdicts: Record<string, Verdict>,
    set: string,
    groups: readonly string[],
    cpuMs: number,
  ): void {
    this.cpuMs.push(cpuMs)
    for (const group of groups)
      for (const [field, [right, given]] of Object.entries(verdicts)) {
        const cell = ((this.table[group] ??= {})[field] ??= { right: 0, wrong: 0, all: 0 })
        cell.right += right
        cell.all++
        if (right < 1 && given) cell.wrong += 1 - right
      }
    for (const [field, [right, given, confidence]] of Object.entries(verdicts)) {
      if (given && !field.startsWith('goods')) {
        const band = BANDS.find((from) => confidence >= from)!
        for (const of of ['any field', field]) {
          const point = (this.curve[`${set}, ${of}, from ${band}`] ??= { right: 0, all: 0 })
          point.right += right
          point.all++
        }
      }
      if (confidence < 0.95) continue
      const cell = (this.sure[`${set}, ${field}`] ??= { right: 0, all: 0 })
      cell.right += right
      cell.all++
    }
  }

  /** Shares of a group, per cent right by field and of totals that are wrong. */
  sharesOf(group: string): Record<string, number> {
    const cells = this.table[group] ?? {}
    const shares = Object.entries(cells).map(
      ([field, { right, all }]) => [field, (100 * right) / all] as const,
    )
    const total = cells['total']
    return {
      ...Object.fromEntries(shares),
      ...(total && { 'wrong totals': (100 * total.wrong) / total.all }),
    }
  }

  /** Median and most seconds of processor time of a document. */
  cpuSeconds(): { median: number; most: number } {
    const sorted = this.cpuMs.toSorted((a, b) => a - b)
    return { median: (sorted[sorted.length >> 1] ?? 0) / 1000, most: (sorted.at(-1) ?? 0) / 1000 }
  }

  print(): void {
    console.table(
      Object.fromEntries(
        Object.entries(this.table).map(([group, cells]) => [
          group,
          {
            n: Math.max(...Object.values(cells).map(({ all }) => all)),
            ...Object.fromEntries(
              Object.entries(cells).map(([field, { right, all }]) => [field, percent(right, all)]),
            ),
            'wrong totals': percent(cells['total']?.wrong ?? 0, cells['total']?.all ?? 1),
          },
        ]),
      ),
    )
    console.log(
      'given and wrong:',
      Object.entries(Object.values(this.table)[0] ?? {})
        .map(([field, { wrong, all }]) => `${field} ${percent(wrong, all)} %`)
        .join('; '),
    )
    console.log(
      'right where the confidence is 0.95 or more:',
      Object.entries(this.sure)
        .map(([field, { right, all }]) => `${field} ${percent(right, all)} % of ${all}`)
        .join('; '),
    )
    console.log(
      'right by confidence:',
      Object.entries(this.curve)
        .toSorted(([a], [b]) => a.localeCompare(b))
        .map(([band, { right, all }]) => `${band}: ${percent(right, all)} % of ${all}`)
        .join('; '),
    )
    const { median, most } = this.cpuSeconds()
    console.log(
      `cpu s a document, median ${median.toFixed(2)}, most ${most.toFixed(2)}; load ${loadavg()[0]!.toFixed(1)}`,
    )
  }
}
