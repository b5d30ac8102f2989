/**
 * Scores invoices in layouts that others wrote and that neither rules nor the set of
 * `others-invoices.ts` knew (`test/support/docintel-fixtures/fresh/documents.ts` says whose), as PDF or
 * rows of text, or as photos of the first page. Prepare a folder once: `npm install --prefix F
 * --ignore-scripts --legacy-peer-deps @faker-js/faker@9.9.0 @makarandkate/invoice-templates@7.7.0
 * @leancodepl/invoice-template@0.7.0 react@19.3.1 react-dom@19.3.1 styled-components@5 date-fns@2
 * pug@3 invoice-it@2.0.0 pdf-invoice-simple@0.4.0 pdfmake@0.2 moment@2 pdf-lib@1
 * jspdf-invoice-template-nodejs@1.4.40 factur-x-kit@0.3.1 @alexssmusica/node-pdf-nfe@1.2.21`, there
 * `apt-get download sql-ledger ledgersmb`, and `dpkg -x <file> x_sql-ledger` or `x_ledgersmb`.
 * `bun test/bench/fresh-invoices.ts --folder F [--photos] [--faults total] [--text] [--only danfe]`.
 */
import { parseArgs } from 'node:util'
import type { ReadJob } from '../../plugins/docintel/pipeline.ts'
import { freshDocuments } from '../support/docintel-fixtures/fresh/documents.ts'
import { freshDrawer } from '../support/docintel-fixtures/fresh/draw.ts'
import { InvoiceTally, verdictsOf } from './lib/invoice-tally.ts'
import { readInvoice, sourceOf } from './lib/read-invoice.ts'

/** Of all documents with their truth; another number is another set. */
const FROZEN_SHA256 = '6c62841373f5cf08e75f7fedd30f998e485dfc06bb5c92a9e132c6e40912f390'

const { values: options } = parseArgs({
  options: {
    folder: { type: 'string' },
    faults: { type: 'string' },
    text: { type: 'boolean', default: false },
    only: { type: 'string' },
    by: { type: 'string', default: 'maker' },
    photos: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
  },
})
const { folder } = options
if (!folder) throw new Error('--folder names the folder with the unpacked packages')
const { documents, sha256 } = await freshDocuments(folder)
console.log(`${documents.length} documents, sha256 ${sha256}`)
if (sha256 !== FROZEN_SHA256) console.warn('This is not the frozen set.')

/** The sums of these stand on the second page, which is not photographed. */
const LATER_PAGE: readonly string[] = ['invoice-it']

const drawer = freshDrawer(folder)
const tally = new InvoiceTally()
for (const [at, document] of documents.entries()) {
  if (at % Number(options.every) !== 0) continue
  if (options.only && !document.name.startsWith(options.only)) continue
  const { truth, drawn } = document
  // Rows of text have no page to photograph.
  if (options.photos && drawn.by === 'text') continue
  const source: ReadJob['source'] =
    drawn.by === 'text'
      ? { kind: 'text', text: drawn.text }
      : await sourceOf(await drawer.bytesOf(document), at, options.photos)
  const { result, text, cpuMs } = await readInvoice(document.name, source)
  const isCut = options.photos && LATER_PAGE.includes(drawn.by)
  const absent = [...document.absent, ...(isCut ? ['total', 'net', 'vat'] : [])]
  const verdicts = verdictsOf(result, text, truth, absent)
  const maker = options.by === 'maker' ? document.name.split(' ')[0]! : document.language
  tally.add(verdicts, 'fresh', ['all', maker], cpuMs)
  const fault = options.faults
  if (fault && (verdicts[fault]?.[0] ?? 1) < 1) {
    console.log(`## ${document.name}`, JSON.stringify(truth))
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
    if (options.text) console.log(text)
  }
}
await drawer.close()
tally.print()
