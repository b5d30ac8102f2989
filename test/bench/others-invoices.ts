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
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { launchBrowser, type TestBrowser } from '../support/browser.ts'
import {
  othersDocuments,
  type OthersDocument,
} from '../support/docintel-fixtures/others/documents.ts'
import { InvoiceTally, verdictsOf } from './lib/invoice-tally.ts'
import { readInvoice, sourceOf } from './lib/read-invoice.ts'
import { printFault } from './lib/score-set.ts'

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

const tally = new InvoiceTally()
for (const [at, document] of documents.entries()) {
  if (at % Number(options.every) !== 0) continue
  if (options.half && document.half !== options.half) continue
  const { truth } = document
  const source = await sourceOf(await pdfOf(document), at, options.photos)
  const { result, text, cpuMs } = await readInvoice(document.name, source)
  const verdicts = verdictsOf(result, text, truth, document.absent)
  const maker = document.name.split(' ')[0]!
  const own = options.by === 'maker' ? `${maker}, ${document.half}` : document.name.slice(0, -2)
  tally.add(verdicts, document.half, [`all, ${document.half}`, own], cpuMs)
  const fault = options.faults
  // Only the half that may be looked at is shown.
  if (fault && document.half === 'looked at' && (verdicts[fault]?.[0] ?? 1) < 1) {
    printFault(document.name, truth, result)
    if (options.text) console.log(text)
  }
}
await (browser as TestBrowser | null)?.close()
tally.print()
