/** Secrets that the gateway makes for itself at first boot and keeps, mode 0600, in DATA_DIR. */
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '#kernel/host'

export interface KeptSecret {
  text: string
  file: string
  /** Whether this call made it. */
  made: boolean
}

/**
 * The trimmed text of `<dataDir>/<name>`, made by `make` when the file is not there. Of two
 * processes that start at once, one makes it and both read the same text; a crash leaves either
 * the whole file or none.
 */
export function keptSecret(dataDir: string, name: string, make: () => string): KeptSecret {
  const file = join(dataDir, name)
  const found = readKept(dataDir, name)
  if (found !== null) return { text: found, file, made: false }
  mkdirSync(dataDir, { recursive: true })
  const draft = `${file}.${process.pid}.${crypto.randomUUID()}`
  writeFileSync(draft, `${make()}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    // link() fails when the name exists, where rename() would replace what another process made.
    linkSync(draft, file)
    return { text: readFileSync(file, 'utf8').trim(), file, made: true }
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    return { text: readFileSync(file, 'utf8').trim(), file, made: false }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** The trimmed text of `<dataDir>/<name>`; null when the file is not there. */
export function readKept(dataDir: string, name: string): string | null {
  try {
    return readFileSync(join(dataDir, name), 'utf8').trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}
