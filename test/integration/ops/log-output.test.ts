/** A log whose reader takes everything, nothing, or is gone, or whose disk is full: each in a process of its own. */
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const module = resolve(import.meta.dirname, '../../../host/telemetry/log-output.ts')

/** A script with `output`, a LogOutput on stdout; stderr tells when it came to its end. */
const scriptOf = (body: string) => `import { LogOutput } from ${JSON.stringify(module)}
const output = new LogOutput(1, 1_000_000)
process.on('exit', () => output.flushSync())
${body}
console.error('ended')
process.exit(0)`

function run(body: string, command = '"$0" -e "$1"') {
  return Bun.spawn(['sh', '-c', command, process.execPath, scriptOf(body)], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

const LINES = `for (let n = 0; n < 200_000; n++) output.write(n + '\\n')`

it('writes every line in order, the last ones at the exit', async () => {
  const child = run(`for (let n = 0; n < 5000; n++) {
    output.write(n + '\\n')
    if (n % 500 === 0) await output.drained(60_000)
  }
  await output.drained(60_000)
  output.write('last\\n')`)
  const lines = (await new Response(child.stdout).text()).trimEnd().split('\n')
  expect(lines).toEqual([...Array.from({ length: 5000 }, (_, n) => String(n)), 'last'])
  expect(await child.exited).toBe(0)
})

it('keeps a bounded part for a reader that takes nothing, and the process ends all the same', async () => {
  const child = run(`${LINES}
await output.drained(100)`)
  expect(await new Response(child.stderr).text()).toContain('ended')
  expect(await child.exited).toBe(0)
})

it('says how many lines a slow reader has lost', async () => {
  const child = run(`${LINES}
await output.drained(60_000)
output.write('after\\n')
await output.drained(60_000)`)
  const text = await new Response(child.stdout).text()
  const lines = text.trimEnd().split('\n')
  const loss = lines.find((line) => line.startsWith('{'))
  const kept = lines.filter((line) => /^\d+$/.test(line)).length
  expect(JSON.parse(loss ?? '{}')).toMatchObject({ level: 'warn', dropped: 200_000 - kept })
  expect(lines.at(-1)).toBe('after')
})

it('ends when its reader is gone', async () => {
  const child = run(
    `${LINES}
await output.drained(60_000)`,
    '"$0" -e "$1" | true',
  )
  expect(await new Response(child.stderr).text()).toContain('ended')
})

it('counts the lines that a reader which is gone does not get', async () => {
  const child = run(
    `${LINES}
await output.drained(60_000)
output.write('one\\ntwo\\n')
console.error('lost', output.lost > 2, output.lost <= 200_002)`,
    '"$0" -e "$1" | true',
  )
  expect(await new Response(child.stderr).text()).toContain('lost true true')
})

it('writes what waited once a full disk has room again', async () => {
  // The descriptor first leads to a device that is always full, then to the pipe.
  const child = run(
    `import { dlopen } from 'bun:ffi'
const { symbols } = dlopen('libc.so.6', { dup2: { args: ['int', 'int'], returns: 'int' } })
output.write('while full\\n')
await output.drained(200)
symbols.dup2(3, 1)
output.write('after\\n')
await output.drained(60_000)
console.error('lost', output.lost)`,
    'exec "$0" -e "$1" 3>&1 >/dev/full',
  )
  expect(await new Response(child.stdout).text()).toBe('while full\nafter\n')
  expect(await new Response(child.stderr).text()).toContain('lost 0')
})
