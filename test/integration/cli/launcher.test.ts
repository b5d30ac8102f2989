/** What the launcher does by itself: answers before Bun is started, and what it passes on to Bun. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { VERSION } from '../../../kernel/version.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { PATIENT } from '../../support/patience.ts'

test('the launcher tells the version where no Bun is installed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-launcher-'))
  try {
    cpSync(resolve('bin'), join(folder, 'bin'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"version":"9.8.7"}')
    const told = (word: string): string =>
      execFileSync('node', [join(folder, 'bin/coinop.mjs'), word], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    expect([told('version'), told('--version')]).toEqual(['9.8.7\n', '9.8.7\n'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the paths that earlier versions started lead to the program', () => {
  for (const command of [
    ['node', 'kernel/bin/coinop.mjs'],
    [process.execPath, 'kernel/main.ts'],
  ] as const)
    expect(execFileSync(command[0], [command[1], 'version'], { encoding: 'utf8' })).toContain(
      VERSION,
    )
})

test('the launcher names a folder below which Bun finds no program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-launcher-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const bin = join(folder, 'what?', 'bin')
  cpSync(resolve('bin'), bin, { recursive: true })
  const { status, stderr } = spawnSync('node', [join(bin, 'coinop.mjs'), 'start'], {
    encoding: 'utf8',
  })
  expect(status).toBe(69)
  expect(stderr).toContain(`Rename it: ${bin}\n`)
})

test('the launcher names the setting of Yarn without which Bun finds no packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-launcher-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const plugAndPlay = join(folder, 'pnp.cjs')
  writeFileSync(plugAndPlay, `Object.defineProperty(process.versions, 'pnp', { value: '3' })`)
  const { status, stderr } = spawnSync(
    'node',
    ['--require', plugAndPlay, resolve('bin/coinop.mjs'), 'start'],
    { encoding: 'utf8' },
  )
  expect(status).toBe(69)
  expect(stderr).toContain('`nodeLinker: node-modules`')
})

test('the manifest has the version of the gateway', () => {
  expect(manifest.version).toBe(VERSION)
})

/** Says each SIGTERM, and ends by none: its parts are the pids of the gateway and of the launcher. */
const GATEWAY = `
process.on('SIGTERM', () => console.log('told'))
console.log('up', process.pid, process.ppid)
setInterval(() => {}, 1000)
`
const POLLS_MS = 2000

test('the launcher passes the end of npx on once: a second signal would cut calls off', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-launcher-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(resolve('bin'), join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'bin/main.ts'), GATEWAY)
  // npx runs it in a shell, which ends on SIGTERM and passes nothing on.
  const shell = spawn('sh', ['-c', `node '${join(folder, 'bin/coinop.mjs')}' start; true`], {
    env: {
      ...process.env,
      PATH: `${resolve('node_modules/.bin')}:${process.env['PATH']}`,
      npm_lifecycle_event: 'npx',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  shell.stdout.on('data', (chunk) => (said += String(chunk)))
  const pids = await vi.waitUntil(() => /up (\d+) (\d+)/.exec(said)?.slice(1).map(Number), PATIENT)
  onTestFinished(() => pids.forEach((pid) => process.kill(pid, 'SIGKILL')))
  shell.kill('SIGTERM')
  await vi.waitUntil(() => said.includes('told'), PATIENT)
  await sleep(POLLS_MS)
  expect(said.match(/told/g)).toEqual(['told'])
})
