/**
 * Figures of utils.pdf_extract: token F1 against pdftotext, table F1 on our own report pages, time
 * and memory, next to pdf.js's plain getTextContent. Pages are printed by the local Chromium; more
 * PDFs can be named for the text part.
 *
 *   bun test/bench/pdf.ts [file.pdf …]
 */
import { existsSync, readFileSync } from 'node:fs'
import puppeteer, { type Browser } from 'puppeteer-core'
import { extractPdf, type PdfTable } from '../../plugins/utils/pdf/extract.ts'
import { openPdf } from '../../plugins/utils/pdf/read/open.ts'
import { type PdfFixture, pdfFixtures } from '../support/pdf-pages.ts'
import { f1, scoreTables, type TableScore, tokenF1 } from '../support/pdf-score.ts'

const PAGES = 100
const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
const mib = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`

async function ours(bytes: Uint8Array): Promise<{ text: string; tables: PdfTable[] }> {
  const order = { bytes: new Uint8Array(bytes), includeTables: true, maxPages: PAGES }
  const outcome = await extractPdf(order, () => undefined)
  if (!outcome.ok) return { text: '', tables: [] }
  return {
    text: outcome.output.pages.map((page) => page.text).join('\n'),
    tables: outcome.output.tables,
  }
}

/** What most programs do with pdf.js: the strings of getTextContent, a line end where it says so. */
async function plain(bytes: Uint8Array): Promise<string> {
  const opened = await openPdf(new Uint8Array(bytes))
  if (!opened.ok) return ''
  const { pdf } = opened
  let text = ''
  for (let number = 1; number <= Math.min(PAGES, pdf.numPages); number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    text += `${items.map((i) => ('str' in i ? i.str + (i.hasEOL ? '\n' : '') : '')).join('')}\n`
  }
  await pdf.loadingTask.destroy()
  return text
}

const hasPdftotext = Bun.which('pdftotext') !== null
function reference(bytes: Uint8Array): string {
  const run = Bun.spawnSync(['pdftotext', '-l', String(PAGES), '-', '-'], { stdin: bytes })
  return run.stdout.toString()
}

interface Printed {
  fixture: PdfFixture
  bytes: Uint8Array
}

async function print(browser: Browser, fixture: PdfFixture): Promise<Printed> {
  const page = await browser.newPage()
  await page.setContent(fixture.html)
  const margin = { top: '20mm', left: '20mm', right: '20mm', bottom: '20mm' }
  const bytes = await page.pdf({ format: 'a4', margin })
  await page.close()
  return { fixture, bytes }
}

async function printed(): Promise<Printed[]> {
  if (!existsSync(CHROMIUM)) {
    console.log(`NOT MEASURED: tables, for want of a Chromium at ${CHROMIUM}`)
    return []
  }
  const browser = await puppeteer.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const all: Printed[] = []
  for (const fixture of pdfFixtures()) all.push(await print(browser, fixture))
  await browser.close()
  return all
}

async function tables(files: readonly Printed[]): Promise<void> {
  if (files.length === 0) return
  const sum: TableScore = {
    tp: 0,
    fp: 0,
    fn: 0,
    pairsFound: 0,
    pairsExpected: 0,
    pairsBoth: 0,
    rowsRight: 0,
    columnsRight: 0,
    matched: 0,
  }
  for (const { fixture, bytes } of files) {
    const found = (await ours(bytes)).tables.map((table) => table.rows)
    const score = scoreTables(found, fixture.tables)
    for (const key of Object.keys(sum) as (keyof TableScore)[]) sum[key] += score[key]
    const adjacency = f1(score.pairsBoth, score.pairsFound, score.pairsExpected)
    if (score.fp + score.fn > 0 || adjacency < 0.95)
      console.log(
        `  ${fixture.name}: ${score.fp} invented, ${score.fn} missed, pairs ${adjacency.toFixed(2)}`,
      )
  }
  const count = f1(sum.tp, sum.tp + sum.fp, sum.tp + sum.fn)
  const pairs = f1(sum.pairsBoth, sum.pairsFound, sum.pairsExpected)
  console.log(
    `tables: count F1 ${count.toFixed(3)}, adjacency F1 ${pairs.toFixed(3)}, rows ${sum.rowsRight}/${sum.matched}, columns ${sum.columnsRight}/${sum.matched} (${files.length} pages; getTextContent finds none)`,
  )
}

async function text(files: readonly { name: string; bytes: Uint8Array }[]): Promise<void> {
  if (!hasPdftotext) {
    console.log('NOT MEASURED: text, for want of pdftotext (Debian: poppler-utils)')
    return
  }
  const scores = { ours: 0, plain: 0 }
  const seconds = { ours: 0, plain: 0, pdftotext: 0 }
  const timed = async <T>(key: keyof typeof seconds, work: () => T | Promise<T>): Promise<T> => {
    const start = performance.now()
    const value = await work()
    seconds[key] += (performance.now() - start) / 1000
    return value
  }
  for (const { name, bytes } of files) {
    const expected = await timed('pdftotext', () => reference(bytes))
    const mine = tokenF1((await timed('ours', () => ours(bytes))).text, expected)
    const other = tokenF1(await timed('plain', () => plain(bytes)), expected)
    scores.ours += mine
    scores.plain += other
    if (mine < 0.95)
      console.log(`  ${name}: ours ${mine.toFixed(3)}, getTextContent ${other.toFixed(3)}`)
  }
  const mean = (sum: number): string => (sum / files.length).toFixed(4)
  console.log(`text, token F1 against pdftotext over ${files.length} files:`)
  console.log(`  ours (with tables)  ${mean(scores.ours)}  ${seconds.ours.toFixed(1)} s`)
  console.log(`  getTextContent      ${mean(scores.plain)}  ${seconds.plain.toFixed(1)} s`)
  console.log(`  pdftotext           1       ${seconds.pdftotext.toFixed(1)} s`)
}

const pages = await printed()
await tables(pages)
const named = process.argv
  .slice(2)
  .map((name) => ({ name, bytes: new Uint8Array(readFileSync(name)) }))
await text([...pages.map(({ fixture, bytes }) => ({ name: fixture.name, bytes })), ...named])
console.log(`resident after all: ${mib(process.memoryUsage().rss)}`)
