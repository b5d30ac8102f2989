/** Output of commands: a table for people on a terminal, JSON for programs when piped. */
import { writeSync } from 'node:fs'
import { codeOf } from '../kernel/errors.ts'
import { EXIT } from '../kernel/plugins/command.ts'

/** Writes a line to stdout. */
export function say(line = ''): void {
  process.stdout.write(`${line}\n`)
}

/** Writes a line to stderr. */
export function warn(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** What a shell says of a program that SIGPIPE ended. */
const READER_GONE = 141

/**
 * From now on this process ends when its stdout takes no more: without a word where nobody reads it any
 * longer (`| head`), else saying so, such as for a file on a full disk, half of which looks like all.
 */
export function endWithOutput(): void {
  process.stdout.on('error', (error) => {
    if (codeOf(error) === 'EPIPE') process.exit(READER_GONE)
    try {
      // At once: what a stream has taken is dropped by the exit.
      writeSync(process.stderr.fd, `coinop: the output is not whole: ${error.message}\n`)
    } finally {
      process.exit(EXIT.unavailable)
    }
  })
}

/** Ends when all that was said has been taken: `process.exit` drops what does not fit into a pipe. */
export async function endOutput(): Promise<void> {
  await Promise.all(
    [process.stdout, process.stderr].map(
      (stream) => new Promise<void>((resolve) => stream.end(() => resolve())),
    ),
  )
}

/** Says why a command line cannot be used and how the command is used; the exit code for it. */
export function usageOf({ usage }: { usage: string }, why?: string): number {
  if (why !== undefined) warn(why)
  warn(`usage: coinop ${usage}`)
  return EXIT.usage
}

/** Rows as an aligned table on a terminal, as one JSON array otherwise. */
export function printRows(rows: readonly Record<string, unknown>[]): void {
  if (!process.stdout.isTTY) {
    say(JSON.stringify(rows, null, 2))
    return
  }
  if (rows.length === 0) {
    say('(none)')
    return
  }
  const columns = Object.keys(rows[0]!)
  const cells = rows.map((row) => columns.map((column) => cell(row[column])))
  const widths = columns.map((column, i) =>
    Math.max(column.length, ...cells.map((line) => line[i]!.length)),
  )
  const format = (line: readonly string[]): string =>
    line
      .map((text, i) => text.padEnd(widths[i]!))
      .join('  ')
      .trimEnd()
  say(format(columns))
  for (const line of cells) say(format(line))
}

/** One record: `name  value` lines on a terminal, a JSON object otherwise. */
export function printRecord(record: Record<string, unknown>): void {
  if (!process.stdout.isTTY) {
    say(JSON.stringify(record, null, 2))
    return
  }
  const width = Math.max(...Object.keys(record).map((name) => name.length)) + 2
  for (const [name, value] of Object.entries(record))
    say(`${visible(name).padEnd(width)}${cell(value)}`)
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return visible(
    typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean),
  )
}

/** What would move the cursor or turn the text around is shown as an escape: others wrote the text. */
function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (hidden) => `\\u{${hidden.codePointAt(0)!.toString(16)}}`,
  )
}
