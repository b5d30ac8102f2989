/**
 * Parts of the suite that cannot run on this machine. They are skipped loudly: at once, and again
 * at the end of `npm test`.
 */
import { appendFileSync } from 'node:fs'

/** The file that test/support/run.ts prints in the end. */
export const SKIPS_FILE = 'COINOP_TEST_SKIPS'

/**
 * Registers a part that does not run and returns true:
 * `describe.skipIf(browser === null && skipPart('chromium', 'none found; set CHROMIUM_PATH'))`.
 */
export function skipPart(part: string, reason: string): true {
  const line = `${part}: ${reason}`
  console.warn(`SKIPPED ${line}`)
  const file = process.env[SKIPS_FILE]
  if (file !== undefined) appendFileSync(file, `${line}\n`)
  return true
}
