/**
 * Scores the seventh set of invoices and receipts by others
 * (`test/support/docintel-fixtures/seventh/documents.ts` says whose), as PDF or as photos of the first
 * page. It needs Debian's packages `texlive-latex-extra texlive-plain-generic lmodern`. Prepare a folder
 * once: `npm install --prefix F --ignore-scripts --legacy-peer-deps @faker-js/faker@9.9.0
 * @accountingbox/invoice-templates@1.0.65 @emotion/cache@11 @emotion/react@11 @emotion/styled@11
 * generate-invoice@0.2.2 @htmlbricks/hb-page-invoice@0.76.5 @htmlbricks/hb-table@0.76.5
 * html-invoicer@1.0.3 node-sped-pdf@1.0.66 pdf-invoice-hu@1.0.2
 * @point-of-sale/receipt-printer-encoder@3.0.3 react-pos-engine@2.1.6 react-simple-invoice@1.0.14
 * moment@2.30.1 numeral@2.0.6 prop-types@15.8.1 react@18.3.1 react-dom@18.3.1`. The open part needs
 * @faker-js/faker, html-invoicer, pdf-invoice-hu, react-simple-invoice and the last five alone.
 * `bun test/bench/seventh-invoices.ts --folder F --part sealed|open [--photos]`; of the open part
 * `--faults total [--text]` too.
 */
import {
  partOf,
  seventhDocuments,
  seventhDrawer,
} from '../support/docintel-fixtures/seventh/documents.ts'
import { scoreLayouts } from './lib/score-layouts.ts'

await scoreLayouts({
  name: 'seventh',
  make: seventhDocuments,
  frozenSha256: {
    open: '979efaf1e16fb8abc798ef010fe9fec6a8f48828766a207912aa8b0059f11deb',
    sealed: 'ffe4222becbc17c9ad2e05dcd7da754a4c38f868c90a64fe7ccf4b3f0d0117e2',
  },
  partOf: ({ maker }) => partOf(maker),
  drawer: seventhDrawer,
})
