import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PUBLIC_KEY, proofKey } from '../../../../plugins/publish/proof.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coinop-proof-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('makes a key once, for its owner alone, and leaves nothing else', () => {
  const made = proofKey(folder)
  expect(made).toMatchObject({ isNew: true, publicKey: expect.stringMatching(PUBLIC_KEY) })
  expect(proofKey(folder)).toEqual({ ...made, isNew: false })
  expect(readdirSync(folder)).toEqual(['mcp-registry-key.pem'])
  expect(statSync(made.file).mode & 0o777).toBe(0o600)
})

it('is made anew after a disk that took nothing of it', () => {
  const program = resolve(import.meta.dirname, '../../../../plugins/publish/proof.ts')
  const script = `(await import(${JSON.stringify(program)})).proofKey(${JSON.stringify(folder)})`
  // No file may have a byte, as on a full disk; the signal of that limit is ignored.
  const limited = Bun.spawnSync(
    ['sh', '-c', `trap '' XFSZ; ulimit -f 0; exec "$0" -e "$1"`, process.execPath, script],
    { stdout: 'ignore', stderr: 'pipe' },
  )
  expect(limited.exitCode, limited.stderr.toString()).not.toBe(0)
  expect(readdirSync(folder)).toEqual([])
  expect(proofKey(folder).isNew).toBe(true)
})
