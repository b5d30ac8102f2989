// Where the program of the npm package `bun` lies, also where no install script ran.
import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const PROGRAM_BYTES_MIN = 1_000_000

/** What the install script of `bun` put there; null where a text stands in its place. */
export function placedBun() {
  const path = stubOrBun()
  return path !== null && statSync(path).size > PROGRAM_BYTES_MIN ? path : null
}

/** The file that `npx bun` runs: a text that explains itself until a program takes its place. */
export function stubOrBun() {
  return inPackage('bun', 'bin', 'bun.exe')
}

/** The program in the package for this platform, which needs no install script. */
export function platformBun() {
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
