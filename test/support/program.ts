/**
 * The command line as tests start it. In a run it is bundled into one file first, which starts in half
 * the time of its 2,700 modules; those that tests start by a command of the README, from a package or
 * with a preload run as they lie.
 */
import { join, resolve } from 'node:path'
import { madeOnce, runProgram } from './run-folder.ts'

const root = resolve(import.meta.dirname, '../..')

/** The file of the command line's sources. */
export const SOURCE_PROGRAM = join(root, 'bin/main.ts')

const BUNDLE = 'program.js'

/** The words of a process that runs the command line: the runtime and the file. */
export function program(): [runtime: string, file: string] {
  return [process.execPath, bundled('coinop', SOURCE_PROGRAM)]
}

/** The file of `source` in one, or `source` itself where there is none yet. */
export function bundled(name: string, source: string): string {
  // All of the folder is moved to its place: Bun looks for the compiled form beside the text.
  const folder = madeOnce(name, (making) => {
    const file = join(making, BUNDLE)
    runProgram(process.execPath, [join(import.meta.dirname, 'bundle-program.ts'), source, file])
    return making
  })
  return folder === null ? source : join(folder, BUNDLE)
}
