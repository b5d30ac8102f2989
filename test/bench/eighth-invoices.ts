/**
 * Scores the eighth set of invoices and receipts by others
 * (`test/support/docintel-fixtures/eighth/documents.ts` says whose), all of it sealed, as PDF or as photos
 * of the first page. It needs Debian's packages `texlive-xetex texlive-latex-extra texlive-lang-french
 * texlive-lang-german lmodern libreoffice-writer-nogui`. Prepare a folder once: `npm install --prefix F
 * --ignore-scripts --legacy-peer-deps @faker-js/faker@9.9.0 @ecomplus/transactional-mails@2.2.2
 * @reactioncommerce/api-plugin-email-templates@1.1.7 electron-pos-printer@1.4.0
 * equation-admin-template@1.0.0 handlebars@4`, there `apt-get download hoteldruid gnumed-server`, and
 * `dpkg -x <file> x_hoteldruid` or `x_gnumed-server`. `bun test/bench/eighth-invoices.ts --folder F
 * --part sealed [--photos]` prints the shares of all documents together and nothing of single layouts.
 */
import { eighthDocuments, eighthDrawer } from '../support/docintel-fixtures/eighth/documents.ts'
import { scoreSealed } from './lib/score-layouts.ts'

await scoreSealed({
  name: 'eighth',
  make: eighthDocuments,
  frozenSha256: '26908ea62f5c86311282bdb29f60fde136de63d9c4585521659692f6fb67c87e',
  drawer: eighthDrawer,
})
