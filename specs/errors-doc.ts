/**
 * Writes the tables of specs/errors.md from ERROR_TABLE and the tables of reasons: kernel/reasons.ts
 * and plugins/<id>/reasons.ts. The text around the tables is edited in errors.md itself.
 *
 *   bun run errors-doc
 */
import { existsSync, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ERROR_TABLE, reasonTableOf, type ErrorCode, type ReasonEntry } from '../kernel/errors.ts'
import { REASONS } from '../kernel/reasons.ts'

type Table = Readonly<Record<string, ReasonEntry>>

const ROOT = resolve(import.meta.dirname, '..')
export const ERRORS_FILE = join(ROOT, 'specs/errors.md')

/** The tables of reasons by their owner: the kernel first, then the plugins by name. */
async function reasonTables(): Promise<Map<string, Table>> {
  const tables = new Map([['kernel', tableOf(REASONS, 'kernel')]])
  for (const id of readdirSync(join(ROOT, 'plugins')).toSorted()) {
    const path = join(ROOT, 'plugins', id, 'reasons.ts')
    if (!existsSync(path)) continue
    const module = (await import(path)) as { REASONS: object }
    tables.set(id, tableOf(module.REASONS, id))
  }
  return tables
}

function tableOf(reasons: object, owner: string): Table {
  const table = reasonTableOf(reasons)
  if (table === null) throw new Error(`REASONS of ${owner} are not made by defineReasons`)
  return table
}

function codesTable(): string[] {
  const rows = Object.entries(ERROR_TABLE).map(
    ([code, { status, retryable }]) => `| \`${code}\` | ${status} | ${yesNo(retryable)} |`,
  )
  return ['| code | status | retryable |', '|---|---|---|', ...rows]
}

function reasonsTable(table: Table): string[] {
  const rows = Object.entries(table).map(([reason, entry]) => {
    const codes = codesOf(entry)
    const statuses = codes.map((code) => entry.status ?? ERROR_TABLE[code].status)
    const retryables = codes.map((code) => yesNo(entry.retryable ?? ERROR_TABLE[code].retryable))
    const cells = [
      `\`${reason}\``,
      codes.map((code) => `\`${code}\``).join(', '),
      listed(statuses),
      listed(retryables),
      entry.meaning,
      entry.fix,
    ]
    return `| ${cells.join(' | ')} |`
  })
  return [
    '| `details.reason` | code | status | retryable | meaning | what to do |',
    '|---|---|---|---|---|---|',
    ...rows,
  ]
}

function codesOf({ code }: ReasonEntry): readonly ErrorCode[] {
  return typeof code === 'string' ? [code] : code
}

function listed(values: readonly (string | number)[]): string {
  return new Set(values).size === 1 ? String(values[0]) : values.join(', ')
}

const yesNo = (is: boolean): string => (is ? 'yes' : 'no')

/** `text` with what stands between its marks written anew. */
export async function withTables(text: string): Promise<string> {
  const reasons: string[] = []
  for (const [owner, table] of await reasonTables()) {
    const title = owner === 'kernel' ? '### Kernel' : `### Plugin ${owner}`
    reasons.push(title, '', ...reasonsTable(table), '')
  }
  return between(between(text, 'codes', codesTable()), 'reasons', reasons.slice(0, -1))
}

function between(text: string, name: string, lines: readonly string[]): string {
  const [start, end] = [`<!-- ${name}: written by bun run errors-doc -->`, `<!-- /${name} -->`]
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`errors.md has no ${start} … ${end}`)
  return `${text.slice(0, from + start.length)}\n${lines.join('\n')}\n${text.slice(to)}`
}

if (import.meta.main) {
  await writeFile(ERRORS_FILE, await withTables(await readFile(ERRORS_FILE, 'utf8')))
}
