/** Records as people see them on a terminal, and a stdout that takes no more. */
import { openSync } from 'node:fs'
import { join } from 'node:path'
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

it.skipIf(process.platform !== 'linux')(
  'output that a full disk cuts is told, and no success',
  () => {
    const module = JSON.stringify(join(import.meta.dirname, '../../../cli/output.ts'))
    const command = `import { endOutput, endWithOutput, say } from ${module}
    endWithOutput()
    say('all of it')
    await endOutput()
    process.exit(0)`
    const full = openSync('/dev/full', 'w')
    const ended = Bun.spawnSync([process.execPath, '-e', command], { stdout: full, stderr: 'pipe' })
    expect([ended.exitCode, ended.stderr.toString()]).toEqual([
      69,
      expect.stringMatching(/^coinop: the output is not whole: ENOSPC.*\n$/),
    ])
  },
)
