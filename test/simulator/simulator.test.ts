/** The simulator's short form: fixed seeds, and those in which it found faults. */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** In a process of its own, whose clock it takes. */
function simulate(...given: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['test/simulator/run.ts', ...given],
    { cwd: root, encoding: 'utf8', timeout: 450_000 },
  )
  return { status, output: stdout + stderr }
}

it('acknowledged means done once, refused means not done, unknown resolves', () => {
  const { status, output } = simulate('--seed', '1', '--histories', '1500')
  expect(status, output).toBe(0)
})

it('a stream is charged once for what was seen, and nobody pays for more', () => {
  const { status, output } = simulate('--streams', '--seed', '1', '--histories', '1500')
  expect(status, output).toBe(0)
})

/**
 * A key that is free before its charge was given back, an answer that was refunded after it was
 * replayed, and a promise that dies with its gateway: each shows in some of these (`npm run planted`).
 */
it('a charge whose capture was lost is given back once, or stands for an answer', () => {
  const { status, output } = simulate('--lost-captures', '--seed', '1', '--histories', '600')
  expect(status, output).toBe(0)
})

it('the same seed is the same history', () => {
  const traced = () => simulate('--seed', '42', '--histories', '1', '--trace').output.split('\n')
  const first = traced().filter((line) => /^\d/.test(line) && !line.includes('histories'))
  expect(first.length).toBeGreaterThan(20)
  expect(traced().filter((line) => /^\d/.test(line) && !line.includes('histories'))).toEqual(first)
})
