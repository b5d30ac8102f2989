#!/usr/bin/env node
// Starts the command line on Bun, whatever started this file: `npx coinop`, `bunx coinop` or a path.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = join(dirname(fileURLToPath(import.meta.url)), '..', 'main.ts')

function bunPath() {
  if (process.versions.bun) return process.execPath
  try {
    const manifest = createRequire(import.meta.url).resolve('bun/package.json')
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'bun.exe' : 'bun.exe')
  } catch {
    return 'bun'
  }
}

const child = spawn(bunPath(), [main, ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  process.stderr.write(
    `coinop: Bun could not be started (${error.message}). Run \`npm ci\` or install Bun.\n`,
  )
  process.exit(69)
})
child.on('exit', (code, signal) => process.exit(signal ? 128 : (code ?? 1)))
