#!/usr/bin/env node
// Starts the command line on Bun, whatever started this file: `npx coinop`, `bunx coinop` or a path.
import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PARENT_POLL_MS = 500
const main = join(dirname(fileURLToPath(import.meta.url)), '..', 'main.ts')

const require = createRequire(import.meta.url)

function bunPath() {
  if (process.versions.bun) return process.execPath
  return placedBun() ?? platformBun() ?? 'bun'
}

// What the install script of the package `bun` put there: a text instead of a program when the
// package manager ran no install scripts.
function placedBun() {
  const path = inPackage('bun', 'bin', 'bun.exe')
  return path !== null && statSync(path).size > 1_000_000 ? path : null
}

// The program itself, which needs no install script.
function platformBun() {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const cpu = process.arch === 'arm64' ? 'aarch64' : process.arch
  const bun = process.platform === 'win32' ? 'bun.exe' : 'bun'
  for (const kind of ['', '-musl', '-baseline']) {
    const path = inPackage(`@oven/bun-${system}-${cpu}${kind}`, 'bin', bun)
    if (path !== null) return path
  }
  return null
}

function inPackage(name, ...path) {
  try {
    // From the folder of `bun`, where a package manager may have put what it depends on.
    const places = [import.meta.url, require.resolve('bun/package.json')]
    for (const place of places) {
      try {
        const manifest = createRequire(place).resolve(`${name}/package.json`)
        const file = join(dirname(manifest), ...path)
        if (existsSync(file)) return file
      } catch {}
    }
  } catch {}
  return null
}

const child = spawn(bunPath(), [main, ...process.argv.slice(2)], {
  stdio: 'inherit',
  // The gateway ends when this process is gone: SIGKILL cannot be passed on.
  env: { ...process.env, COINOP_LAUNCHER: String(process.pid) },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
// npx runs this file in a shell that ends on SIGTERM without passing it on.
if (process.env.npm_lifecycle_event === 'npx') {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM')
  }, PARENT_POLL_MS).unref()
}
child.on('error', (error) => {
  process.stderr.write(
    `coinop: Bun could not be started (${error.message}). Run \`npm ci\` (\`npm install\` beside the package) or install Bun.\n`,
  )
  process.exit(69)
})
child.on('exit', (code, signal) =>
  process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)),
)
