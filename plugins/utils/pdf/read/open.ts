/** Opens an untrusted PDF with pdf.js: no network, no scripts, no images decoded. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

const require = createRequire(import.meta.url)
const ROOT = dirname(require.resolve('pdfjs-dist/package.json'))
const folder = (name: string): string => `${join(ROOT, name)}/`

/** Images larger than this many pixels are not decoded: they hold no text, only memory. */
const IMAGE_PIXELS_MAX = 1

/** What pdf.js says of files that are encrypted for certificates or by an unknown method. */
const UNKNOWN_LOCK = /unknown (?:encryption method|crypto method)|unsupported encryption/i

export type OpenOutcome =
  | { ok: true; pdf: PDFDocumentProxy }
  | { ok: false; reason: 'encrypted' | 'broken'; message: string }

/**
 * The opened document, or why it cannot be read. A file with only an owner password opens: its
 * empty user password is tried by pdf.js.
 */
export async function openPdf(bytes: Uint8Array, password?: string): Promise<OpenOutcome> {
  const task = getDocument({
    data: bytes,
    ...(password !== undefined && { password }),
    standardFontDataUrl: folder('standard_fonts'),
    cMapUrl: folder('cmaps'),
    cMapPacked: true,
    wasmUrl: folder('wasm'),
    iccUrl: folder('iccs'),
    useSystemFonts: false,
    disableFontFace: true,
    // Names and character codes, for fonts without a stated encoding.
    fontExtraProperties: true,
    enableXfa: false,
    maxImageSize: IMAGE_PIXELS_MAX,
    isEvalSupported: false,
    verbosity: 0,
  } as Parameters<typeof getDocument>[0])
  try {
    const pdf = await task.promise
    if (pdf.numPages > 0) return { ok: true, pdf }
    await task.destroy()
    return { ok: false, reason: 'broken', message: 'The PDF has no pages' }
  } catch (error) {
    await task.destroy().catch(() => undefined)
    const locked = error instanceof Error && error.name === 'PasswordException'
    if (locked) {
      return {
        ok: false,
        reason: 'encrypted',
        message:
          password === undefined
            ? 'The PDF is encrypted: it needs a password to be read'
            : 'The PDF is encrypted, and the password is wrong',
      }
    }
    if (error instanceof Error && UNKNOWN_LOCK.test(error.message)) {
      const message = 'The PDF is encrypted in a way that cannot be opened here'
      return { ok: false, reason: 'encrypted', message }
    }
    const detail = error instanceof Error ? error.message.slice(0, 200) : ''
    return { ok: false, reason: 'broken', message: `The PDF cannot be read: ${detail}` }
  }
}
