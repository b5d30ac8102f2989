/**
 * The command line as tests start it. In a run it is bundled into one file first, which starts in half
 * the time of its 2,700 modules; those that tests start by a command of the README, from a package or
 * with a preload run as they lie.
 */
import { join, resolve } from 'node:path'
import { madeOnce, runProgram } from './run-folder.ts'

const root = resolve(import.meta.dirname, '../..')

/** The file of the command line's sources. */
export const SOURCE_PROGRAM = join(root, 'kernel/main.ts')

const BUNDLE = 'coinop.js'

/** The words of a process that runs the command line: the runtime and the file. */
export function program(): [runtime: string, file: string] {
  const folder = madeOnce('program', bundle)
  return [process.execPath, folder === null ? SOURCE_PROGRAM : join(folder, BUNDLE)]
}

/** Makes all of the folder: Bun looks for the compiled form beside the text. */
function bundle(folder: string): string {
  runProgram(process.execPath, [
    join(import.meta.dirname, 'bundle-program.ts'),
    join(folder, BUNDLE),
  ])
  return folder
}
