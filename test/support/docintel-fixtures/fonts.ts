/**
 * Fonts for fixtures that are measured or drawn, from files that an npm package brings: what a
 * machine has installed differs, down to nothing at all.
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { GlobalFonts } from '@napi-rs/canvas'

const FOLDER = join(
  dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')),
  'standard_fonts',
)

function family(name: string, ...files: readonly string[]): string {
  for (const file of files) {
    if (GlobalFonts.registerFromPath(join(FOLDER, file), name) === null)
      throw new Error(`${file} of pdfjs-dist cannot be registered`)
  }
  return name
}

/** Liberation Sans, regular and bold: it has Helvetica's widths. */
export const SANS = family('Fixture Sans', 'LiberationSans-Regular.ttf', 'LiberationSans-Bold.ttf')
/** A face with glyphs of one width, as tills print it. */
export const MONO = family('Fixture Mono', 'FoxitFixed.pfb', 'FoxitFixedBold.pfb')
