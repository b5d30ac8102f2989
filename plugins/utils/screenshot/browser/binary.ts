/** The program of a browser, as it was found. */
export interface BrowserBinary {
  path: string
  /** 'shell' is the old headless mode, which the packaged build is. */
  headless: true | 'shell'
  /** Environment the binary needs to find its own libraries and fonts. */
  env: Readonly<Record<string, string>>
  /** Folders its fonts come from; null where the system's configuration says so. */
  fontFolders: readonly string[] | null
  origin: 'CHROMIUM_PATH' | 'system' | 'package'
}
export type Located = { ok: true; binary: BrowserBinary } | { ok: false; message: string }
