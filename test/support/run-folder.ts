/** A folder of one test run, for what the first test file that needs it makes for all that follow. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

/** Names the folder to the test files, which run in workers of their own. */
const FOLDER = 'COINOP_TEST_FOLDER'

export function offerRunFolder(folder: string): void {
  process.env[FOLDER] = folder
}

/**
 * The path of `name` in the run's folder. The first who asks for it makes it: `make` gets an empty
 * folder and returns the path of what it made in there, or null where that cannot be moved. Returns
 * null outside of a run, and while another worker makes it.
 */
export function madeOnce(name: string, make: (folder: string) => string | null): string | null {
  const folder = process.env[FOLDER]
  if (folder === undefined) return null
  const made = join(folder, name)
  if (existsSync(made)) return made
  const making = join(folder, `making-${name}`)
  try {
    mkdirSync(making)
  } catch {
    return null
  }
  const result = make(making)
  if (result === null) return null
  renameSync(result, made)
  return made
}

/** Throws with what the program said when it fails. */
export function runProgram(program: string, args: string[]): void {
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`)
}
