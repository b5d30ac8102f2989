/**
 * The command line as tests start it. In a run it is bundled into one file with bytecode first, which
 * starts in a third of the time of its 2,700 modules; those that tests start by a command of the README, from a package or
 * with a preload run as they lie.
 */
import { join, resolve } from 'node:path'
import { madeOnce, runProgram } from './run-folder.ts'

const root = resolve(import.meta.dirname, '../..')

/** The file of the command line's sources. */
export const SOURCE_PROGRAM = join(root, 'kernel/main.ts')

/** The words of a process that runs the command line: the runtime and the file. */
export function program(): [runtime: string, file: string] {
  const bundled = madeOnce('program', bundle)
  return [process.execPath, bundled === null ? SOURCE_PROGRAM : join(bundled, 'start.js')]
}

function bundle(folder: string): string {
  const made = join(folder, 'made')
  runProgram(process.execPath, [join(import.meta.dirname, 'bundle-program.ts'), made])
  return made
}
