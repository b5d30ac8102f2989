/** Records as people see them on a terminal. */
import { afterEach, expect, it, vi } from 'vitest'
import { printRecord, printRows } from '../../../cli/output.ts'

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
