/** Puts a finished folder into its place, where an older or damaged one may lie and be in use. */
import { existsSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Moves into `folder` what it lacks of `staged`, which is on the same file system; what it has stays.
 * Every step is one rename, so a process that reads the folder meanwhile, or does the same to it,
 * never sees half a file.
 */
export function moveMissing(staged: string, folder: string): void {
  try {
    renameSync(staged, folder)
    return
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
  for (const name of readdirSync(staged)) {
    const [from, to] = [join(staged, name), join(folder, name)]
    if (statSync(from).isDirectory()) moveMissing(from, to)
    else if (!existsSync(to)) renameSync(from, to)
  }
}
