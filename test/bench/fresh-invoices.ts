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
import { freshDocuments } from '../support/docintel-fixtures/fresh/documents.ts'
import { freshDrawer } from '../support/docintel-fixtures/fresh/draw.ts'
import { scoreOptions, scoreSet } from './lib/score-set.ts'

/** Of all documents with their truth; another number is another set. */
const FROZEN_SHA256 = '6c62841373f5cf08e75f7fedd30f998e485dfc06bb5c92a9e132c6e40912f390'

const options = scoreOptions()
const { documents, sha256 } = await freshDocuments(options.folder)
console.log(`${documents.length} documents, sha256 ${sha256}`)
if (sha256 !== FROZEN_SHA256) console.warn('This is not the frozen set.')

const drawer = freshDrawer(options.folder)
await scoreSet(
  documents.map((document) => ({
    ...document,
    maker: document.name.split(' ')[0]!,
    mayShow: true,
    ...(document.drawn.by === 'text'
      ? { text: document.drawn.text }
      : { pdf: () => drawer.bytesOf(document) }),
    // The sums of these stand on the second page, which is not photographed.
    absentInPhoto: document.drawn.by === 'invoice-it' ? ['total', 'net', 'vat'] : [],
  })),
  'fresh',
  options,
)
await drawer.close()
