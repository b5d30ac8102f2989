/**
 * Scores invoices in 60 layouts of LaTeX, Chromium, LibreOffice Writer, groff and plain text, written before
 * the rules that they judge: `bun test/bench/stationery.ts --folder F [--part a|b] [--faults total] [--text]`.
 * It needs Debian's packages `texlive-latex-extra texlive-lang-german texlive-lang-european
 * texlive-lang-french lmodern groff libreoffice-writer-nogui`, and draws into F. Faults are shown of half a.
 */
import { stationeryDocuments } from '../support/docintel-fixtures/stationery/documents.ts'
import { stationeryDrawer, textOfGroff } from '../support/docintel-fixtures/stationery/draw.ts'
import { scoreOptions, scoreSet } from './lib/score-set.ts'

/** Of all sources with their truth; another number is another set. */
const FROZEN_SHA256 = '568b4359634ba38845fbe058ab64babbef04bd04ed90a29de67d7b2b9884a85a'

const options = scoreOptions()
const { documents, sha256 } = stationeryDocuments(options.part)
console.log(`${documents.length} documents, sha256 ${sha256}`)
if (sha256 !== FROZEN_SHA256) console.warn('This is not the frozen set.')

const drawer = stationeryDrawer(options.folder)
await scoreSet(
  documents.map((document) => {
    const { layout, source } = document
    return {
      ...document,
      maker: options.by === 'layout' ? layout.name : layout.maker,
      language: layout.order.language,
      mayShow: layout.half === 'a',
      absentInPhoto: [],
      ...(layout.maker === 'text' && { text: source }),
      ...(layout.maker === 'groff' && { text: textOfGroff(source) }),
      ...(layout.maker !== 'text' &&
        layout.maker !== 'groff' && { pdf: () => drawer.pdf(document) }),
    }
  }),
  options.part ?? 'stationery',
  options,
)
await drawer.close()
