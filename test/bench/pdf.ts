/**
 * Figures of utils.pdf_extract: token F1 against pdftotext, table F1 on pages of our own, what
 * becomes of broken files, time and memory, next to pdf.js's plain getTextContent. Pages are
 * printed by the local Chromium; more PDFs can be named for the text part.
 *
 *   bun test/bench/pdf.ts [file.pdf …]
 */
import { existsSync, readFileSync } from 'node:fs'
import puppeteer from 'puppeteer-core'
import { pdfFixtures } from '../support/pdf-pages.ts'
import { f1, scoreTables, tokenF1 } from '../support/pdf-score.ts'
import { damaged, hostileFiles } from './lib/pdf-damage.ts'
import { operatorFiles } from './lib/pdf-operators.ts'
import { placedTables } from './lib/pdf-placed-tables.ts'
import { hasPdftotext, ours, outcomeOf, pdftotext, plain, print } from './lib/pdf-readers.ts'
import { chartPages, reportPages } from './lib/pdf-reports.ts'

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
const DAMAGED = 300
const mib = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`

interface Page {
  name: string
  bytes: Uint8Array
  tables: string[][][]
}
interface Set {
  title: string
  pages: Page[]
}

async function printedSets(): Promise<Set[]> {
  if (!existsSync(CHROMIUM)) {
    console.log(`NOT MEASURED: printed pages, for want of a Chromium at ${CHROMIUM}`)
    return []
  }
  const browser = await puppeteer.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const kinds = [
    { title: 'first pages (seen)', pages: pdfFixtures() },
    { title: 'report pages (seen)', pages: reportPages(1, 80) },
    { title: 'report pages, other seed (kept unseen)', pages: reportPages(2, 60) },
    { title: 'charts (seen)', pages: [...chartPages(1), ...chartPages(2)] },
  ]
  const sets: Set[] = []
  for (const { title, pages } of kinds) {
    const printed: Page[] = []
    for (const page of pages)
      printed.push({ name: page.name, bytes: await print(browser, page), tables: page.tables })
    sets.push({ title, pages: printed })
  }
  await browser.close()
  return sets
}

async function tables({ title, pages }: Set): Promise<void> {
  const sum = { found: 0, expected: 0, both: 0, tp: 0, fp: 0, fn: 0, invented: 0 }
  for (const page of pages) {
    const score = scoreTables((await ours(page.bytes)).tables, page.tables)
    sum.found += score.pairsFound
    sum.expected += score.pairsExpected
    sum.both += score.pairsBoth
    sum.tp += score.tp
    sum.fp += score.fp
    sum.fn += score.fn
    if (page.tables.length === 0) sum.invented += score.fp
    const pairs = f1(score.pairsBoth, score.pairsFound, score.pairsExpected)
    if (score.fp + score.fn > 0 || pairs < 0.95)
      console.log(
        `  ${page.name}: ${score.fp} invented, ${score.fn} missed, pairs ${pairs.toFixed(2)}`,
      )
  }
  const without = pages.filter((page) => page.tables.length === 0).length
  const share = (part: number, whole: number): string =>
    whole === 0 ? '-' : (part / whole).toFixed(3)
  console.log(
    `tables, ${title}: adjacency P ${share(sum.both, sum.found)} R ${share(sum.both, sum.expected)} F1 ${f1(sum.both, sum.found, sum.expected).toFixed(3)}, count F1 ${f1(sum.tp, sum.tp + sum.fp, sum.tp + sum.fn).toFixed(3)}, ${sum.invented} invented on ${without} pages without one (${pages.length} pages)`,
  )
}

async function text(title: string, files: readonly { name: string; bytes: Uint8Array }[]) {
  if (!hasPdftotext || files.length === 0) return
  const scores: number[] = []
  let others = 0
  const seconds = { ours: 0, plain: 0, pdftotext: 0 }
  const timed = async <T>(key: keyof typeof seconds, work: () => T | Promise<T>): Promise<T> => {
    const start = performance.now()
    const value = await work()
    seconds[key] += (performance.now() - start) / 1000
    return value
  }
  for (const { name, bytes } of files) {
    const expected = await timed('pdftotext', () => pdftotext(bytes))
    const mine = tokenF1((await timed('ours', () => ours(bytes))).text, expected)
    const other = tokenF1(await timed('plain', () => plain(bytes)), expected)
    scores.push(mine)
    others += other
    if (mine < 0.95)
      console.log(`  ${name}: ours ${mine.toFixed(3)}, getTextContent ${other.toFixed(3)}`)
  }
  const mean = scores.reduce((a, b) => a + b, 0) / scores.length
  const median = scores.toSorted((a, b) => a - b)[scores.length >> 1]!
  console.log(
    `text, ${title}: token F1 against pdftotext mean ${mean.toFixed(4)}, median ${median.toFixed(4)} in ${seconds.ours.toFixed(1)} s; getTextContent ${(others / files.length).toFixed(4)} in ${seconds.plain.toFixed(1)} s; pdftotext ${seconds.pdftotext.toFixed(1)} s (${files.length} files)`,
  )
}

/** Every file must end in text or in a reason; what is thrown would be a crash. */
async function damage(files: readonly Uint8Array[]): Promise<void> {
  const counts = { read: 0, refused: 0, crashed: 0 }
  let slowestMs = 0
  const look = async (bytes: Uint8Array, name: string): Promise<void> => {
    const start = performance.now()
    try {
      counts[(await outcomeOf(bytes)).ok ? 'read' : 'refused']++
    } catch (error) {
      counts.crashed++
      console.log(`  ${name}: ${String(error)}`)
    }
    const ms = performance.now() - start
    if (ms > 5000) console.log(`  ${name}: ${(ms / 1000).toFixed(1)} s`)
    slowestMs = Math.max(slowestMs, ms)
  }
  for (const [i, file] of files.entries()) {
    for (const copy of damaged(file, Math.ceil(DAMAGED / files.length), i + 1))
      await look(copy, `damaged ${i}`)
  }
  for (const { name, bytes } of hostileFiles()) await look(bytes, name)
  console.log(
    `damaged and hostile files: ${counts.read} read, ${counts.refused} refused, ${counts.crashed} crashed; slowest ${(slowestMs / 1000).toFixed(1)} s`,
  )
}

if (!hasPdftotext) console.log('NOT MEASURED: text, for want of pdftotext (Debian: poppler-utils)')
const sets = await printedSets()
for (const set of sets) await tables(set)
const placed = placedTables()
await tables({ title: 'placed by operators (kept unseen)', pages: placed })
const operators = operatorFiles()
await text('operators (seen)', operators)
await text(
  'printed pages',
  sets.flatMap((set) => set.pages),
)
const named = process.argv.slice(2)
await text(
  'named files',
  named.map((name) => ({ name, bytes: new Uint8Array(readFileSync(name)) })),
)
await damage([...sets.flatMap(({ pages }) => pages.slice(0, 3)), ...operators].map((f) => f.bytes))
console.log(`resident after all: ${mib(process.memoryUsage().rss)}`)
