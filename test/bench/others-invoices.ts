/**
 * Scores invoices in layouts that others wrote (`test/support/docintel-fixtures/others/documents.ts`
 * says whose), as PDF or as photos of the first page. Prepare a folder once:
 * `npm install --prefix F @faker-js/faker@9.9.0 microinvoice@1.0.6 @h1dd3nsn1p3r/pdf-invoice@1.0.12`,
 * there `apt-get download sql-ledger ledgersmb`, and `dpkg -x <file> x_sql-ledger` or `x_ledgersmb`.
 * `bun test/bench/others-invoices.ts --folder F [--half unseen] [--faults total] [--text]`;
 * `--photos` photographs the first page (tilted, turned, in shadow), `--every 3` takes each third.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readDocument, type ReadJob } from '../../plugins/docintel/pipeline.ts'
import { launchBrowser, type TestBrowser } from '../support/browser.ts'
import {
  othersDocuments,
  type OthersDocument,
} from '../support/docintel-fixtures/others/documents.ts'
import { photoLook, photoOfPdf } from '../support/docintel-fixtures/made/photo.ts'
import { seeded } from '../support/docintel-fixtures/random.ts'
import { similar } from '../support/docintel-fixtures/score.ts'

/** Of all documents with their truth; another number is another set. */
const FROZEN_SHA256 = '6821c70ab55c2de784c0899111b3f75d3d191fc5bdc17f725c13ca6fbaa1990e'

const { values: options } = parseArgs({
  options: {
    folder: { type: 'string' },
    half: { type: 'string' },
    faults: { type: 'string' },
    text: { type: 'boolean', default: false },
    by: { type: 'string', default: 'maker' },
    photos: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
  },
})
const { folder } = options
if (!folder) throw new Error('--folder names the folder with the unpacked packages')
const { documents, sha256 } = await othersDocuments(folder)
console.log(`${documents.length} documents, sha256 ${sha256}`)
if (sha256 !== FROZEN_SHA256) console.warn('This is not the frozen set.')

/** A class of a package that writes PDF. */
interface Maker {
  generate?(path: string): Promise<void>
  create?(): Promise<unknown>
}
const require = createRequire(join(folder, 'package.json'))
let browser: TestBrowser | null = null

/** The document as PDF; drawn once and kept in the folder. */
async function pdfOf(document: OthersDocument): Promise<Uint8Array> {
  const kept = join(folder!, 'pdf', `${document.name.replaceAll(' ', '-')}.pdf`)
  if (existsSync(kept)) return readFileSync(kept)
  mkdirSync(join(folder!, 'pdf'), { recursive: true })
  const { html, payload } = document
  if (html !== undefined) {
    browser ??= await launchBrowser()
    const tab = await browser.browser.newPage()
    await tab.setContent(html)
    writeFileSync(
      kept,
      await tab.pdf({ format: 'A4', margin: { top: 40, bottom: 40, left: 40, right: 40 } }),
    )
    await tab.close()
  } else if (payload?.maker === 'microinvoice') {
    const MicroInvoice = require('microinvoice') as new (data: unknown) => Maker
    await new MicroInvoice(payload.data).generate?.(kept)
  } else if (payload) {
    const { PDFInvoice } = require('@h1dd3nsn1p3r/pdf-invoice') as {
      PDFInvoice: new (data: unknown) => Maker
    }
    const data = payload.data as { invoice: object }
    await new PDFInvoice({ ...data, invoice: { ...data.invoice, path: kept } }).create?.()
  }
  // One of them says that it is done before its file is written.
  while (!(existsSync(kept) && readFileSync(kept, 'latin1').trimEnd().endsWith('%%EOF')))
    await new Promise((resolve) => setTimeout(resolve, 50))
  return readFileSync(kept)
}

const squash = (text: string | null | undefined): string =>
  (text ?? '').toLowerCase().replaceAll(/[^\p{L}\d]/gu, '')
const near = (a: number | null, b: number): boolean => a !== null && Math.abs(a - b) < 0.006

type Verdict = [right: number, given: boolean, confidence: number]
const table: Record<string, Record<string, { right: number; wrong: number; all: number }>> = {}
const sure: Record<string, { right: number; all: number }> = {}
const curve: Record<string, { right: number; all: number }> = {}
const BANDS = [0.95, 0.9, 0.85, 0.8, 0.7, 0]
const cpuMs: number[] = []
for (const [at, document] of documents.entries()) {
  if (at % Number(options.every) !== 0) continue
  if (options.half && document.half !== options.half) continue
  const { truth } = document
  const bytes = await pdfOf(document)
  const source: ReadJob['source'] = options.photos
    ? {
        kind: 'image/jpeg',
        bytes: await photoOfPdf(bytes, photoLook(at, [''], seeded(at + 1)), seeded(at + 501)),
      }
    : { kind: 'application/pdf', bytes }
  const before = process.cpuUsage()
  const outcome = await readDocument({
    source,
    preferred: 'invoice',
    tier: 'auto',
    nowMs: Date.UTC(2025, 5, 1),
    ocr: 'embedded',
    ocrBudgetMs: 120_000,
  })
  if (!outcome.ok) throw new Error(`${document.name}: ${outcome.message}`)
  const { user, system } = process.cpuUsage(before)
  cpuMs.push((user + system) / 1000)
  const { result, text } = outcome
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
  }
  for (const field of document.absent) delete verdicts[field]
  // Some layouts print no letterhead.
  if (!squash(text).includes(squash(truth.seller))) delete verdicts['seller']
  const maker = document.name.split(' ')[0]!
  const own = options.by === 'maker' ? `${maker}, ${document.half}` : document.name.slice(0, -2)
  for (const group of [`all, ${document.half}`, own])
    for (const [field, [right, given]] of Object.entries(verdicts)) {
      const cell = ((table[group] ??= {})[field] ??= { right: 0, wrong: 0, all: 0 })
      cell.right += right
      cell.all++
      if (right < 1 && given) cell.wrong += 1 - right
    }
  for (const [field, [right, given, confidence]] of Object.entries(verdicts)) {
    if (given && field !== 'goods') {
      const band = BANDS.find((from) => confidence >= from)!
      for (const of of ['any field', field]) {
        const point = (curve[`${document.half}, ${of}, from ${band}`] ??= { right: 0, all: 0 })
        point.right += right
        point.all++
      }
    }
    if (confidence < 0.95) continue
    const cell = (sure[`${document.half}, ${field}`] ??= { right: 0, all: 0 })
    cell.right += right
    cell.all++
  }
  const fault = options.faults
  // Only the half that may be looked at is shown.
  if (fault && document.half === 'looked at' && (verdicts[fault]?.[0] ?? 1) < 1) {
    console.log(`## ${document.name}`, JSON.stringify(truth))
    console.log(
      JSON.stringify({
        total: result.total,
        date: result.issued_at,
        due: result.due_date,
        id: result.document_id,
        net: result.subtotal,
        vat,
        seller: merchant.name,
        buyer: buyer?.name,
        goods: result.line_items,
        warnings: result.warnings,
      }),
    )
    if (options.text) console.log(text)
  }
}
await (browser as TestBrowser | null)?.close()
const percent = (part: number, all: number): string => ((100 * part) / all).toFixed(1)
console.table(
  Object.fromEntries(
    Object.entries(table).map(([group, cells]) => [
      group,
      {
        n: cells['total']!.all,
        ...Object.fromEntries(
          Object.entries(cells).map(([field, { right, all }]) => [field, percent(right, all)]),
        ),
        'wrong totals': percent(cells['total']!.wrong, cells['total']!.all),
      },
    ]),
  ),
)
console.log(
  'right where the confidence is 0.95 or more:',
  Object.entries(sure)
    .map(([field, { right, all }]) => `${field} ${percent(right, all)} % of ${all}`)
    .join('; '),
)
console.log(
  'right by confidence:',
  Object.entries(curve)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([band, { right, all }]) => `${band}: ${percent(right, all)} % of ${all}`)
    .join('; '),
)
cpuMs.sort((a, b) => a - b)
console.log(
  `cpu s a document, median ${(cpuMs[cpuMs.length >> 1]! / 1000).toFixed(2)}, most ${(cpuMs.at(-1)! / 1000).toFixed(2)}; load ${loadavg()[0]!.toFixed(1)}`,
)
