/**
 * Fonts of the packaged browser. The configuration in its package names folders of Amazon Lambda
 * only, and a browser that finds no font at all paints no text and crashes at the first form field.
 */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'

/** Names of what is not finished; leftovers of killed processes are swept by it. */
export const STAGING = 'unpacking-'

const FONT_FILE = /\.(ttf|otf|ttc|otc)$/i
const DEPTH_MAX = 8
/** A free family and those whose widths it has: a page breaks its lines where its author saw it. */
const SAME_WIDTHS = [
  ['Liberation Sans', 'Arial', 'Helvetica'],
  ['Liberation Serif', 'Times New Roman', 'Times'],
  ['Liberation Mono', 'Courier New', 'Courier'],
] as const
/** The generic families, and those that the browser takes where a page names none. */
const LAST_RESORT_FOR = [
  'sans-serif',
  'serif',
  'monospace',
  'system-ui',
  'Times New Roman',
  'Courier New',
]
const require = createRequire(import.meta.url)

/** The user's home; null for one that the system does not know, where HOME is not set. */
export function homeFolder(): string | null {
  try {
    return homedir()
  } catch {
    return null
  }
}

/** Where Linux keeps the fonts of the machine and of this user. */
export function systemFontFolders(): string[] {
  const home = homeFolder()
  return [
    '/usr/share/fonts',
    '/usr/local/share/fonts',
    ...(home === null ? [] : [join(home, '.fonts'), join(home, '.local/share/fonts')]),
  ]
}

/** Liberation Sans, which pdf.js brings for PDFs: Arial and Helvetica keep their widths with it. */
export function pdfjsFontFolder(): string | null {
  try {
    return join(dirname(require.resolve('pdfjs-dist/package.json')), 'standard_fonts')
  } catch {
    return null
  }
}

/** Whether a font that the browser can use lies in the folder or below it. */
export function hasFont(folder: string, depthMax = DEPTH_MAX): boolean {
  try {
    const names = readdirSync(folder)
    if (names.some((name) => FONT_FILE.test(name))) return true
    return names.some((name) => {
      const path = join(folder, name)
      return depthMax > 0 && isFolder(path) && hasFont(path, depthMax - 1)
    })
  } catch {
    return false
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** The configuration the machine or its operator has; it need not exist. */
function configuredFile(env: NodeJS.ProcessEnv): string {
  const file = env['FONTCONFIG_FILE'] || 'fonts.conf'
  if (isAbsolute(file)) return file
  return join(env['FONTCONFIG_PATH']?.split(':')[0] || '/etc/fonts', file)
}

/**
 * Whether programs of this machine find fonts by themselves. A browser that finds none paints no text
 * and ends at the first form field. Only Linux is asked: elsewhere the system brings its fonts.
 */
export function hasOwnFonts(
  env: NodeJS.ProcessEnv,
  folders: readonly string[] = systemFontFolders(),
): boolean {
  if (process.platform !== 'linux') return true
  const isConfigured = statSync(configuredFile(env), { throwIfNoEntry: false })?.isFile() === true
  return isConfigured && folders.some((folder) => hasFont(folder))
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export interface FontsConf {
  folders: readonly string[]
  /** Where fontconfig keeps what it read from the folders. */
  cacheFolder: string
  /** Read first, when it exists, so that the machine's own preferences go before ours. */
  included: string
}

/**
 * The text of a fontconfig file. Type 1 fonts are left out: the browser cannot use them, but a page
 * that matched one would get nothing. Fonts we bring come last in the generic families.
 */
export function fontsConf({ folders, cacheFolder, included }: FontsConf): string {
  const sameWidths = SAME_WIDTHS.flatMap(([ours, ...families]) =>
    families.map(
      (family) =>
        `<alias binding="same"><family>${family}</family><accept><family>${ours}</family></accept></alias>`,
    ),
  )
  const last = LAST_RESORT_FOR.map(
    (family) =>
      `<alias><family>${family}</family><default><family>Liberation Sans</family><family>Open Sans</family></default></alias>`,
  )
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...folders.map((folder) => `<dir>${escaped(folder)}</dir>`),
    `<cachedir>${escaped(cacheFolder)}</cachedir>`,
    `<include ignore_missing="yes">${escaped(included)}</include>`,
    '<selectfont><rejectfont><glob>*.pfb</glob></rejectfont></selectfont>',
    ...sameWidths,
    ...last,
    '</fontconfig>',
    '',
  ].join('\n')
}

/**
 * Writes the configuration for these folders into `cache` and returns its path. The file is named
 * after its content: installations with other folders share the cache and must not overwrite each
 * other's. Throws where nothing can be written.
 */
export function writeFontsConf(cache: string, folders: readonly string[]): string {
  const text = fontsConf({
    folders,
    cacheFolder: join(cache, 'fontconfig'),
    included: configuredFile(process.env),
  })
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const path = join(cache, `fonts-${hash}.conf`)
  if (existsSync(path)) return path
  const staged = join(cache, `${STAGING}${randomUUID()}`)
  try {
    writeFileSync(staged, text, { mode: 0o600 })
    renameSync(staged, path)
  } finally {
    rmSync(staged, { force: true })
  }
  return path
}

/** Why no picture can be taken; null when there is a font to paint with. */
export function lackOfFonts(folders: readonly string[] | null): string | null {
  if (folders === null || folders.some((folder) => hasFont(folder))) return null
  return 'No font for the packaged browser: its pictures would have no text. Install fonts (apt-get install fonts-liberation).'
}
