#!/usr/bin/env node
// Starts the command line on Bun, whatever started this file: `npx coinop`, `bunx coinop` or a path.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { placedBun, platformBun } from './bun-binary.mjs'

const PARENT_POLL_MS = 500
const here = dirname(fileURLToPath(import.meta.url))
const main = join(here, 'main.ts')

function bunPath() {
  if (process.versions.bun) return process.execPath
  return placedBun() ?? platformBun() ?? 'bun'
}

// Loading the gateway to name its version takes a second, and needs Bun.
if (['version', '--version'].includes(process.argv[2])) {
  const manifest = readFileSync(join(here, '..', 'package.json'), 'utf8')
  process.stdout.write(`${JSON.parse(manifest).version}\n`)
  process.exit(0)
}

if (process.versions.pnp) {
  process.stderr.write(
    "coinop: Bun does not read the packages of Yarn Plug'n'Play. Write `nodeLinker: node-modules` into .yarnrc.yml and run `yarn install`.\n",
  )
  process.exit(69)
}

// Bun reads a question mark as the begin of a query and a backslash as a separator: it finds no file.
if (process.platform !== 'win32' && /[?\\]/.test(main)) {
  process.stderr.write(
    `coinop: Bun runs nothing below a folder with ? or \\ in its name. Rename it: ${here}\n`,
  )
  process.exit(69)
}

const child = spawn(bunPath(), [main, ...process.argv.slice(2)], {
  stdio: 'inherit',
  // The gateway ends when this process is gone: SIGKILL cannot be passed on.
  env: { ...process.env, COINOP_LAUNCHER: String(process.pid) },
})
// npx runs this file in a shell that ends on SIGTERM without passing it on.
const parent = process.ppid
const isOfNpx = process.env.npm_lifecycle_event === 'npx'
const poll = setInterval(() => {
  if (isOfNpx && process.ppid !== parent) passOn('SIGTERM')
}, PARENT_POLL_MS).unref()

/** The end of npx counts once, and not after a signal: a gateway that is told twice leaves its calls. */
function passOn(signal) {
  clearInterval(poll)
  child.kill(signal)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, passOn)
child.on('error', (error) => {
  process.stderr.write(
    `coinop: Bun could not be started (${error.message}). Run \`npm ci\` (\`npm install\` beside the package) or install Bun.\n`,
  )
  process.exit(69)
})
child.on('exit', (code, signal) =>
  process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)),
)
