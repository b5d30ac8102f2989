/** What commands say as programs get it from a pipe. */
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

/** Far more than a pipe holds. */
const SAID_BYTES = 20_000_000

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
