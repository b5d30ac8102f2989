/**
 * Scores the tenth set of invoices and receipts by others
 * (`test/support/docintel-fixtures/tenth/documents.ts` says whose), all of it sealed, as PDF or as photos
 * of the first page. It needs Debian's packages `texlive-latex-extra texlive-lang-french
 * texlive-lang-german lmodern libreoffice-writer-nogui zip unzip`. Prepare a folder once: `npm install
 * --prefix F --ignore-scripts @faker-js/faker@9.9.0 node-thermal-printer@4.6.1 handlebars@4`, there
 * `npm pack @evershop/evershop@2.2.1 @unchainedshop/platform@4.8.27` and unpack each one's folder
 * `package` as x_evershop and x_unchained, and `apt-get download calligrasheets-data libreoffice-common
 * python3-relatorio` and `dpkg -x <file> x_<package>`. `bun test/bench/tenth-invoices.ts --folder F
 * --part sealed [--photos]` prints the shares of all documents together and nothing of single layouts.
 * "refused" is of the papers that ask for no money: no total is given of them, or no kind to be booked.
 */
import { tenthDocuments, tenthDrawer } from '../support/docintel-fixtures/tenth/documents.ts'
import { scoreSealed } from './lib/score-layouts.ts'

await scoreSealed({
  name: 'tenth',
  make: tenthDocuments,
  frozenSha256: 'b041de3d3fde78efe58dc703849fc8e79bc7cceadda0a9a1feb1c461d58c3990',
  drawer: tenthDrawer,
})
