/**
 * Scores the ninth set of invoices and receipts by others
 * (`test/support/docintel-fixtures/ninth/documents.ts` says whose), all of it sealed, as PDF or as photos
 * of the first page. Prepare a folder once: `npm install --prefix F --ignore-scripts --legacy-peer-deps
 * @faker-js/faker@9.9.0 handlebars@4 jade@1.11.0 vue@2.7.16 react@19 react-dom@19
 * react-email@6 @better-giving/react-emails@6.1.1 aerix-invoice-nota-template@2.0.1
 * bootstrap-invoice@1.0.0 cfdi2pdf@2.1.3 @nodecfdi/cfdi-to-pdf@1.6.0 @nodecfdi/cfdiutils-common@1.2.6
 * @xmldom/xmldom@0.9 invoice-bill@1.0.1 invoice-pdf@0.0.11 @solcode/invoice-creator-api-package@1.1.1
 * vue-document-editor@2.3.2 vue-invoice@1.1.4`. `bun test/bench/ninth-invoices.ts --folder F
 * --part sealed [--photos]` prints the shares of all documents together and nothing of single layouts.
 */
import { ninthDocuments, ninthDrawer } from '../support/docintel-fixtures/ninth/documents.ts'
import { scoreSealed } from './lib/score-layouts.ts'

await scoreSealed({
  name: 'ninth',
  make: ninthDocuments,
  frozenSha256: '0985a5d22eea1b54d694722cc9bcec833c8020cb41effd8ab45d738903b58b00',
  drawer: ninthDrawer,
})
