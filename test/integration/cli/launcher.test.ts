/** What the launcher answers by itself, before Bun is started. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { VERSION } from '../../../kernel/version.ts'
import manifest from '../../../package.json' with { type: 'json' }

test('the launcher tells the version where no Bun is installed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-launcher-'))
  try {
    mkdirSync(join(folder, 'kernel'))
    cpSync(resolve('kernel/bin'), join(folder, 'kernel/bin'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"version":"9.8.7"}')
    const told = (word: string): string =>
      execFileSync('node', [join(folder, 'kernel/bin/coinop.mjs'), word], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    expect([told('version'), told('--version')]).toEqual(['9.8.7\n', '9.8.7\n'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the manifest has the version of the gateway', () => {
  expect(manifest.version).toBe(VERSION)
})
