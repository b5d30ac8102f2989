/** The shipped products for a gateway under test. */
import { appendFileSync, cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * A new folder with the shipped products, in which the relay waits for its first attempt however slow
 * the machine is: what a sender is told is then how that attempt ended.
 */
export function patientProducts(): string {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-products-'))
  cpSync(resolve(import.meta.dirname, '../../products'), folder, { recursive: true })
  appendFileSync(join(folder, 'webinfra.yaml'), '\nconfig: { answerWithinMs: 30000 }\n')
  return folder
}
