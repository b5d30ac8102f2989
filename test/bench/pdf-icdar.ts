/**
 * Tables of utils.pdf_extract against files that others wrote: every `name.pdf` below a folder that has
 * a `name-str.xml` of the ICDAR 2013 competition beside it (Debian's source of camelot-py holds the
 * set). Two halves by name: what is looked at (even) and what only judges (odd).
 *
 *   bun test/bench/pdf-icdar.ts path/to/icdar2013-dataset [even|odd] [--files]
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { extractPdf } from '../../plugins/utils/pdf/extract.ts'
import { adjacencies, f1 } from '../support/pdf-score.ts'
import { icdarTables } from './lib/icdar.ts'
import { formatTable } from './lib/table.ts'
import { teds } from './lib/teds.ts'

const [folder, half] = process.argv.slice(2).filter((one) => !one.startsWith('--'))
if (!folder) throw new Error('Name the folder of the data set')
const showsFiles = process.argv.includes('--files')

interface Tally {
  files: number
  found: number
  expected: number
  matched: number
  teds: number
  rows: number
  columns: number
  pairs: [both: number, found: number, expected: number]
}
const empty = (): Tally => ({
  files: 0,
  found: 0,
  expected: 0,
  matched: 0,
  teds: 0,
  rows: 0,
  columns: 0,
  pairs: [0, 0, 0],
})
type Rows = string[][]

/** Pairs of tables of one page that are most alike, each table once. */
function matches(found: Rows[], expected: Rows[]): [Rows, Rows, number][] {
  const all = found.flatMap((a) => expected.map((b): [Rows, Rows, number] => [a, b, teds(a, b)]))
  const taken = new Set<Rows>()
  return all
    .toSorted((x, y) => y[2] - x[2])
    .filter(([a, b, score]) => {
      if (score < 0.1 || taken.has(a) || taken.has(b)) return false
      taken.add(a).add(b)
      return true
    })
}

function shared(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>()
  for (const one of b) left.set(one, (left.get(one) ?? 0) + 1)
  return a.filter((one) => {
    const count = left.get(one) ?? 0
    left.set(one, count - 1)
    return count > 0
  }).length
}

const tallies = { even: empty(), odd: empty() }
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.pdf'))
  .toSorted()
for (const name of names) {
  const structure = join(folder, name.replace(/\.pdf$/, '-str.xml'))
  if (!existsSync(structure)) continue
  const isEven = Number(/(\d+)\D*\.pdf$/.exec(name)?.[1] ?? 0) % 2 === 0
  if (half !== undefined && half !== (isEven ? 'even' : 'odd')) continue
  const tally = tallies[isEven ? 'even' : 'odd']
  const expected = icdarTables(readFileSync(structure, 'utf8'))
  const bytes = new Uint8Array(readFileSync(join(folder, name)))
  const order = { bytes, includeTables: true, maxPages: 100 }
  const outcome = await extractPdf(order, () => undefined)
  const found = outcome.ok ? outcome.output.tables : []
  tally.files++
  tally.found += found.length
  tally.expected += expected.length
  const pages = new Set([...found, ...expected].map(({ page }) => page))
  for (const page of pages) {
    const mine = found.filter((table) => table.page === page).map(({ rows }) => rows)
    const theirs = expected.filter((table) => table.page === page).map(({ rows }) => rows)
    const matched = matches(mine, theirs)
    tally.matched += matched.length
    for (const [a, b, score] of matched) {
      tally.teds += score
      if (a.length === b.length) tally.rows++
      if (a[0]!.length === b[0]!.length) tally.columns++
      if (showsFiles && (score < 0.93 || a[0]!.length !== b[0]!.length))
        console.log(
          `${name} p${page}: TEDS ${score.toFixed(3)}, ${a.length}×${a[0]!.length} for ${b.length}×${b[0]!.length}`,
        )
    }
    if (showsFiles && mine.length !== theirs.length)
      console.log(`${name} p${page}: ${mine.length} tables for ${theirs.length}`)
    const [pairsFound, pairsExpected] = [mine.flatMap(adjacencies), theirs.flatMap(adjacencies)]
    tally.pairs[0] += shared(pairsFound, pairsExpected)
    tally.pairs[1] += pairsFound.length
    tally.pairs[2] += pairsExpected.length
  }
}
console.log(
  formatTable(
    [
      'half',
      'files',
      'tables',
      'detection F1',
      'TEDS (matched)',
      'TEDS (all)',
      'rows',
      'columns',
      'adjacency F1',
    ],
    Object.entries(tallies)
      .filter(([, { files }]) => files > 0)
      .map(([name, t]) => [
        name,
        String(t.files),
        String(t.expected),
        f1(t.matched, t.found, t.expected).toFixed(3),
        (t.teds / t.matched).toFixed(3),
        (t.teds / t.expected).toFixed(3),
        (t.rows / t.matched).toFixed(3),
        (t.columns / t.matched).toFixed(3),
        f1(...t.pairs).toFixed(3),
      ]),
  ),
)
