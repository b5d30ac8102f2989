/**
 * Text and titles of utils.extract on manuals whose sources stand beside their pages: reStructuredText that
 * Sphinx copies into `_sources`, and the search index of MkDocs. Pages that are filled from program
 * sources (autodoc) are left out; what directives print differs from the source a little, so 0.97 is
 * about as much as can be had. Debian's -doc packages hold such manuals; at most eight pages of one, by a hash
 * of their names.
 *
 *   bun test/bench/extract-manuals.ts folder [--misses]
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readArticle } from '../../plugins/utils/extract/article/readability.ts'
import { parsePage, textOf } from '../../plugins/utils/extract/dom/tree.ts'
import { runExtract } from '../../plugins/utils/extract/worker.ts'
import { tokenF1 } from './extract/score-articles.ts'
import { formatTable } from './lib/table.ts'

const PAGES_OF_ONE = 8
/** A source with fewer characters is a table of contents. */
const TEXT_LEAST = 1500
const FROM_PROGRAMS =
  /^\.\. (?:auto\w+|include|literalinclude|click|program-output|glossary|graphviz|inheritance-diagram)::|:maxdepth:/m

interface Page {
  name: string
  manual: string
  html: string
  title: string
  text: string
}

const [folder] = process.argv.slice(2).filter((one) => !one.startsWith('--'))
if (!folder) throw new Error('Name a folder with manuals')
const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

/** What a reader sees of reStructuredText, near enough to count words. */
function plainOf(source: string): { title: string; text: string } {
  const title = /^(?:[=#*~^"-]{3,}\n)?(\S.*)\n[=#*~^"'-]{3,}$/m.exec(source)?.[1] ?? ''
  const text = source
    .replaceAll(/^\.\. (?:_[^\n]*:[^\n]*|\|[^\n]*|index::[^\n]*(?:\n\s+[^\n]*)*|\w[^\n:]*$)/gm, '')
    .replaceAll(
      /^\s*\.\. (?:code-block|sourcecode|highlight|image|figure|module|currentmodule|rst-class|tab\w*|container|contents|testsetup)::.*$/gm,
      '',
    )
    .replaceAll(/^\s*\.\. [\w:-]+::/gm, '')
    .replaceAll(/^\s*:(?:[a-z-]+):\s.*$/gm, '')
    .replaceAll(/^[=#*~^"'`+.-]{3,}$/gm, '')
    .replaceAll(/:[\w:+-]+:`[!~]?([^`<]*?)\s*(?:<[^`>]*>)?`/g, '$1')
    .replaceAll(/`([^`<]+?)\s*<[^`>]*>`__?/g, '$1')
  return { title: title.replaceAll(/:\w+:`|[`*]/g, ''), text }
}

function sphinxPages(root: string, manual: string): Page[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /_sources\/.*\.rst\.txt$/.test(name))
    .flatMap((name): Page[] => {
      const page = join(root, name.replace('_sources/', '').replace(/\.rst\.txt$/, '.html'))
      const source = readFileSync(join(root, name), 'utf8')
      const { title, text } = plainOf(source)
      if (!existsSync(page) || FROM_PROGRAMS.test(source) || text.length < TEXT_LEAST) return []
      return title ? [{ name, manual, html: readFileSync(page, 'utf8'), title, text }] : []
    })
}

interface Section {
  location: string
  title: string
  text: string
}
function mkdocsPages(root: string, manual: string): Page[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => name.endsWith('search/search_index.json'))
    .flatMap((name) => {
      const base = join(root, name, '../..')
      const { docs } = JSON.parse(readFileSync(join(root, name), 'utf8')) as { docs: Section[] }
      return docs
        .filter(({ location, text }) => !location.includes('#') && text.length >= TEXT_LEAST)
        .flatMap(({ location, text }): Page[] => {
          const file = join(base, location, location.endsWith('.html') ? '' : 'index.html')
          // Its own title is that of the menu; the first of its sections has the headline.
          const first = docs.find((one) => one.location.startsWith(`${location}#`))
          if (!existsSync(file) || !first) return []
          const html = readFileSync(file, 'utf8')
          return [{ name: location, manual, html, title: first.title, text }]
        })
    })
}

const pages = readdirSync(folder, { withFileTypes: true })
  .filter((one) => one.isDirectory())
  .map(({ name }) => name)
  .toSorted()
  .flatMap((manual) => {
    const root = join(folder, manual)
    const all = [...sphinxPages(root, manual), ...mkdocsPages(root, manual)]
    // Packages link their folders under several names.
    return [...new Map(all.map((page) => [hash(page.html), page])).values()]
      .toSorted((a, b) => hash(a.name).localeCompare(hash(b.name)))
      .slice(0, PAGES_OF_ONE)
  })

const mean = (values: readonly number[]): string =>
  (values.reduce((sum, one) => sum + one, 0) / values.length).toFixed(3)
const sameTitle = (a: string, b: string): boolean =>
  [a, b]
    .map((one) =>
      one
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
        .trim(),
    )
    .every((one, _, [first]) => one === first)
console.log(`${pages.length} pages, sha256 ${hash(JSON.stringify(pages)).slice(0, 16)}`)
const rows: string[][] = []
for (const manual of [...new Set(pages.map((page) => page.manual)), 'all']) {
  const those = pages.filter((page) => manual === 'all' || page.manual === manual)
  const [own, plain]: [number[], number[]] = [[], []]
  let titles = 0
  for (const { name, html, title, text } of those) {
    const outcome = runExtract({ source: 'html', content: html, contentType: null, url: null })
    if (!outcome.ok) throw new Error(`${name}: ${outcome.message}`)
    const data = outcome.data as { title: string | null; text: string }
    const cut = readArticle(parsePage(html), () => false)
    own.push(tokenF1(`${data.title}\n${data.text}`, text))
    plain.push(tokenF1(cut ? textOf(cut) : '', text))
    const isRight = sameTitle(data.title ?? '', title)
    if (isRight) titles++
    if (manual === 'all' || !process.argv.includes('--misses')) continue
    if (!isRight) console.log(`  ${manual} ${name}: title ${data.title} for ${title}`)
    if (own.at(-1)! < 0.93) console.log(`  ${manual} ${name}: F1 ${own.at(-1)!.toFixed(3)}`)
  }
  rows.push([manual, String(those.length), mean(own), mean(plain), `${titles} of ${those.length}`])
}
console.log(formatTable(['manual', 'pages', 'text F1', 'Readability.js alone', 'titles'], rows))
