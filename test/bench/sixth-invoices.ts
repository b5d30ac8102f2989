/**
 * Scores the sixth set of invoices and receipts by others
 * (`test/support/docintel-fixtures/sixth/documents.ts` says whose), as PDF or as photos of the first
 * page. Prepare a folder once: `npm install --prefix F --ignore-scripts --legacy-peer-deps
 * @faker-js/faker@9.9.0 receipt@1.4.0 transactional-email-templates@0.4.0 mjml@3.3.5
 * mjml-invoice@3.3.5 mjml4@npm:mjml@4.15.3 handlebars@4 inky@1.4.2 foundation-emails@2.5.1
 * @vendure/email-plugin@3.7.3 pdfkit@0.15 i18next@23`, there
 * `npm pack @rsc-labs/medusa-documents-v2@0.2.11` and unpack its folder `package` as
 * x_medusa-documents, and write `exports.defaultCurrencies = {}` into
 * node_modules/@medusajs/utils/index.js, which gives every currency two digits. The open part needs
 * @faker-js/faker, pdfkit, i18next, transactional-email-templates and Medusa's alone.
 * `bun test/bench/sixth-invoices.ts --folder F --part sealed|open [--photos]`; of the open part
 * `--faults total [--text]` too.
 */
import {
  sixthDocuments,
  sixthDrawer,
  partOf,
} from '../support/docintel-fixtures/sixth/documents.ts'
import { scoreLayouts } from './lib/score-layouts.ts'

await scoreLayouts({
  name: 'sixth',
  make: sixthDocuments,
  frozenSha256: {
    open: 'b17e77ad282a6b30f78131e1c4be22b8299081a2aef7b5c84e8f774491d18331',
    sealed: '0938041cb08b8c7efdbf7a93363053d02fb000f1de7b18be8038cbe12fa8230b',
  },
  partOf: ({ maker }) => partOf(maker),
  drawer: sixthDrawer,
})
