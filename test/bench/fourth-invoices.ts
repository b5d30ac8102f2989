/**
 * Scores the fourth set of invoices by others (`test/support/docintel-fixtures/fourth/documents.ts`
 * says whose), as PDF or as photos of the first page. It needs Debian's packages `gnucash
 * python3-gnucash python3-relatorio libreoffice-writer-nogui locales texlive-latex-extra
 * texlive-latex-recommended texlive-science texlive-lang-german texlive-lang-european
 * texlive-lang-french texlive-lang-spanish texlive-lang-italian lmodern`, and for each xx_YY in
 * `books.ts` `localedef -i xx_YY -f UTF-8 xx_YY.UTF-8`. Prepare a folder once: `npm install --prefix F
 * --ignore-scripts --legacy-peer-deps @faker-js/faker@9.9.0 handlebars@4 pdfkit@0.20
 * swissqrbill@4.4.1 receiptline@4.0.4 puppeteer-html-pdf@4.0.8 @jsreport/jsreport-sample-template@4`,
 * there `apt-get download kraft tryton-modules-account-invoice`, and `dpkg -x <file> x_kraft` or
 * `x_tryton-modules-account-invoice`. `bun test/bench/fourth-invoices.ts --folder F --part sealed
 * [--photos] [--by language]`; only of `--part open` are faults shown: `--faults total [--text]`.
 */
import { fourthDocuments, partOf } from '../support/docintel-fixtures/fourth/documents.ts'
import { fourthDrawer } from '../support/docintel-fixtures/fourth/draw.ts'
import { scoreParts } from './lib/score-parts.ts'
import { scoreOptions } from './lib/score-set.ts'

const options = scoreOptions()
const { documents, sha256 } = await fourthDocuments(options.folder)
await scoreParts(
  {
    name: 'fourth',
    documents,
    sha256,
    frozenSha256: '06c1ea2299e43cf305f7151453a0ce200fea184e8d4274ed905fac596035b3fe',
    partOf: ({ maker }) => partOf(maker),
    drawer: fourthDrawer(options.folder, documents),
  },
  options,
)
