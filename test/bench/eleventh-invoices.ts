/**
 * Scores the eleventh set of invoices and receipts by others
 * (`test/support/docintel-fixtures/eleventh/documents.ts` says whose), all of it sealed, as PDF or as photos
 * of the first page. It needs Debian's packages `texlive-latex-extra texlive-lang-european
 * texlive-lang-french texlive-lang-german texlive-lang-italian lmodern groff ghostscript
 * libreoffice-writer-nogui python3-relatorio zip unzip`. Prepare a folder once: `npm install --prefix F
 * --ignore-scripts @faker-js/faker@9.9.0 bootstrap@3.3.7`, there `npm pack gentelella@1.4.0
 * tabler-ui@0.0.34 vali-admin@4.1.0` and unpack each one's folder `package` as x_gentelella1, x_tabler-ui
 * and x_vali-admin, and `apt-get download libreoffice-common tryton-modules-sale tryton-modules-stock` and
 * `dpkg -x <file> x_<package>`. `bun test/bench/eleventh-invoices.ts --folder F --part sealed [--photos]`
 * prints the shares of all documents together and nothing of single layouts. "refused" is of the papers
 * that ask for no money: no total is given of them, or no kind to be booked.
 */
import {
  eleventhDocuments,
  eleventhDrawer,
} from '../support/docintel-fixtures/eleventh/documents.ts'
import { scoreSealed } from './lib/score-layouts.ts'

await scoreSealed({
  name: 'eleventh',
  make: eleventhDocuments,
  frozenSha256: '621c541d32ebbf2ff88e7575974f4e6a6b27804d5601f506c3a5874bd69b9670',
  drawer: eleventhDrawer,
})
