/** A clone whose packages are not there yet: `npm start` says what to run. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
const empty = mkdtempSync(join(tmpdir(), 'coinop-clone-'))
afterAll(() => rmSync(empty, { recursive: true }))

/** What comes before `npm start`, with nothing but a shell. */
function before(cwd: string) {
  const command = ['/bin/sh', join(root, 'packaging/installed.sh')]
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd, env: {}, stderr: 'pipe' })
  return { exitCode, said: stderr.toString() }
}

it('says what to run, and nothing once the packages are there', () => {
  expect(before(empty)).toEqual({ exitCode: 1, said: expect.stringContaining('npm ci --omit=dev') })
  expect(before(root)).toEqual({ exitCode: 0, said: '' })
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(scripts.prestart).toBe('sh packaging/installed.sh')
})
