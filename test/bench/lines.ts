/**
 * How many lines the kernel has, by folder: `bun test/bench/lines.ts [FOLDER]`. All lines of `.ts`
 * files, and those that are neither blank nor comment alone. It fails where the kernel has more than
 * LIMIT lines.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { formatTable } from './lib/table.ts'

const LIMIT = 22_000
const root = resolve(import.meta.dirname, '../..')
const folder = process.argv[2] ?? 'kernel'

interface Count {
  files: number
  lines: number
  code: number
}

/** Lines that hold more than a comment; a comment that shares its line with code is none. */
function codeLines(text: string): number {
  let isInComment = false
  return text.split('\n').filter((line) => {
    const words = line.trim()
    if (isInComment) {
      isInComment = !words.includes('*/')
      return false
    }
    isInComment = words.startsWith('/*') && !words.includes('*/')
    return words !== '' && !words.startsWith('//') && !words.startsWith('/*')
  }).length
}

const byPart = new Map<string, Count>()
const total: Count = { files: 0, lines: 0, code: 0 }
for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.ts')) continue
  const text = readFileSync(join(root, folder, name), 'utf8')
  const part = name.includes('/') ? `${name.split('/')[0]}/` : name
  const own = byPart.get(part) ?? { files: 0, lines: 0, code: 0 }
  byPart.set(part, own)
  for (const count of [own, total]) {
    count.files += 1
    count.lines += text.split('\n').length - 1
    count.code += codeLines(text)
  }
}

const rows = [...byPart].toSorted(([, a], [, b]) => b.lines - a.lines)
const cells = ({ files, lines, code }: Count): string[] => [files, lines, code].map(String)
console.log(
  formatTable(
    [folder, 'files', 'lines', 'without blank lines and comments'],
    [...rows, ['all', total] as const].map(([part, count]) => [part, ...cells(count)]),
  ),
)
if (folder === 'kernel') {
  console.log(`${total.lines} lines (at most ${LIMIT})`)
  process.exitCode = total.lines > LIMIT ? 1 : 0
}
