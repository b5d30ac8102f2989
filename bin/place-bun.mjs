// Puts Bun where `npx bun` looks for it, after an install that ran no install scripts of packages.
import { chmodSync, copyFileSync, linkSync, renameSync, rmSync } from 'node:fs'
import { placedBun, platformBun, stubOrBun } from './bun-binary.mjs'

const stub = stubOrBun()
const program = platformBun()
if (placedBun() === null && stub !== null && program !== null) {
  const beside = `${stub}.${process.pid}`
  try {
    try {
      linkSync(program, beside)
    } catch {
      copyFileSync(program, beside)
    }
    chmodSync(beside, 0o755)
    renameSync(beside, stub)
  } catch (error) {
    rmSync(beside, { force: true })
    process.stderr.write(`coinop: \`npx bun\` will not work here (${error.message})\n`)
  }
}
