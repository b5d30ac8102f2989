// Puts the project's own command into node_modules/.bin. `npx coinop` finds it without; `bunx coinop`
// looks only there, and would otherwise ask the registry for a package of that name.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const folder = join(here, '..', 'node_modules', '.bin')
const link = join(folder, 'coinop')
try {
  mkdirSync(folder, { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(relative(folder, join(here, 'coinop.mjs')), link)
} catch (error) {
  process.stderr.write(`coinop: \`bunx coinop\` will not work here (${error.message})\n`)
}
