/** What an operator can do about a file that the system refuses, and files of settings that it hides. */
import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname } from 'node:path'
import { codeOf } from '../kernel/errors.ts'

const TEMPORARY: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS'])

/** Whether it is the folder for temporary files, or one that Coinop makes directly in it. */
const isTemporary = (path: string): boolean =>
  path === tmpdir() || (dirname(path) === tmpdir() && basename(path).startsWith('coinop-'))

/** The advice for an error of the file system; null for any other error. */
export function fileFix(error: unknown): string | null {
  const path = (error as { path?: unknown } | null)?.path
  if (typeof path !== 'string') return null
  const code = codeOf(error)
  if (code !== null && TEMPORARY.has(code) && isTemporary(path))
    return 'Set TMPDIR to a folder that this user may write to.'
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return 'Run Coinop as the user whom it belongs to, or give it to the user who runs Coinop (chown).'
    case 'EROFS':
      return 'Mount its file system for writing, or set DATA_DIR to another folder.'
    case 'ENOSPC':
    case 'EDQUOT':
      return 'Free some space there, or set DATA_DIR to another folder.'
    default:
      return null
  }
}

/** Those of these files that are there and that this user may not read. */
export function closedFiles(names: readonly string[]): string[] {
  return names.filter((name) => {
    try {
      accessSync(name, constants.R_OK)
      return false
    } catch (error) {
      return codeOf(error) === 'EACCES'
    }
  })
}

/** Whether nothing can be written into an absolute folder, or into the one that it would be made in. */
export function refusesWriting(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return false
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT'
    return !isMissing || folder === dirname(folder) || refusesWriting(dirname(folder))
  }
}
