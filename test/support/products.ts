/** The shipped products for a gateway under test. */
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * A new folder with the shipped products, in which the relay waits for its first attempt however slow
 * the machine is: what a sender is told is then how that attempt ended.
 */
export function patientProducts(): string {
  return productsIn(mkdtempSync(join(tmpdir(), 'coinop-products-')), {
    'webinfra.yaml': 'config: { answerWithinMs: 30000 }',
  })
}

/**
 * A new folder with the shipped products, in which a page gets little memory: one that takes it without
 * end reaches that limit before any of time, also on a slow machine.
 */
export function narrowPages(): string {
  return productsIn(mkdtempSync(join(tmpdir(), 'coinop-products-')), {
    'utils.yaml': 'config: { pageMemoryMib: 192 }',
  })
}

/** `narrowPages`, whose drawn pages have as long as a page may take and a slow machine beside it. */
export function patientPages(): string {
  const folder = narrowPages()
  const file = join(folder, 'utils.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('timeout: 60s', 'timeout: 170s'))
  return folder
}

/** The shipped products in `folder`, each file with the lines that `more` has for it; returns `folder`. */
export function productsIn(folder: string, more: Record<string, string>): string {
  mkdirSync(folder, { recursive: true })
  cpSync(resolve(import.meta.dirname, '../../products'), folder, { recursive: true })
  for (const [file, lines] of Object.entries(more)) {
    appendFileSync(join(folder, file), `\n${lines}\n`)
  }
  return folder
}
