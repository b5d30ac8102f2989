/** Folders of this user for what the browser needs: its files and its font configuration. */
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { homeFolder, writeFontsConf } from './fonts.ts'

/** A folder that only this user can write to: programs are run from it. */
function ownFolder(path: string): string | null {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const { uid, mode } = lstatSync(path)
    return uid === process.getuid?.() && (mode & 0o022) === 0 ? path : null
  } catch {
    return null
  }
}

/** Where browsers are unpacked and font configurations are written; null where there is no place. */
export function cacheFolder(): string | null {
  const home = homeFolder()
  const cache = process.env['XDG_CACHE_HOME'] ?? (home === null ? null : join(home, '.cache'))
  return (cache === null ? null : ownFolder(join(cache, 'coinop'))) ?? ownTempFolder()
}

/** The folder that only this user can write to, in the machine's temp folder. */
function ownTempFolder(): string | null {
  return ownFolder(join(tmpdir(), `coinop-${process.getuid?.() ?? 0}`))
}

/** The path of a configuration for these font folders, in `cache` or where it can be written. */
export function fontsConfFile(cache: string, fontFolders: readonly string[]): string {
  try {
    return writeFontsConf(cache, fontFolders)
  } catch (error) {
    // A browser that was unpacked into a read-only image.
    const temporary = ownTempFolder()
    if (temporary === null) throw error
    return writeFontsConf(temporary, fontFolders)
  }
}
