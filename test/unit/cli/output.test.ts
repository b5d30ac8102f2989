/** Records as people see them on a terminal, and as programs get them from a pipe. */
import { resolve } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { printRecord, printRows } from '../../../cli/output.ts'

/** Far more than a pipe holds. */
const SAID_BYTES = 20_000_000
const { isTTY } = process.stdout

afterEach(() => {
  vi.restoreAllMocks()
  process.stdout.isTTY = isTTY
})

it('text of others cannot move the cursor, clear the screen or turn a line around', () => {
  let printed = ''
  process.stdout.isTTY = true
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
  const name = 'a\u001b[2J\r\nvalid  true\u202e\u009b1A'
  printRecord({ [name]: 1, name, list: [name] })
  printRows([{ name }])
  expect(printed).toContain(String.raw`a\u{1b}[2J\u{d}\u{a}valid  true\u{202e}\u{9b}1A`)
  expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(printed.trimEnd().split('\n')).toHaveLength(5)
})

it('all that was said is in a pipe before the process ends', () => {
  const module = JSON.stringify(resolve(import.meta.dirname, '../../../cli/output.ts'))
  const script = `const { say, endOutput } = await import(${module})
    say('x'.repeat(${SAID_BYTES}))
    await endOutput()
    process.exit(3)`
  const piped = ['sh', '-c', '{ "$0" -e "$1"; echo $? >&2; } | wc -c', process.execPath, script]
  const { stdout, stderr } = Bun.spawnSync(piped)
  expect(Number(stdout.toString())).toBe(SAID_BYTES + 1)
  expect(stderr.toString()).toBe('3\n')
})
