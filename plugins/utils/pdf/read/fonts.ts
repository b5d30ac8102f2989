/** The fonts that a page's operators name, once pdf.js has loaded them. */
import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The fields of pdf.js's font object that are used here. */
export interface FontView {
  fontMatrix?: readonly number[] | null
  vertical?: boolean
  isType3Font?: boolean
  composite?: boolean
  /** The font's program is not in the file. */
  missingFile?: boolean
  name?: string
  /** Names of glyphs by code, where the font's encoding is not a usual one. */
  differences?: ReadonlyMap<number, string>
}
export interface OperatorList {
  fnArray: ArrayLike<number>
  argsArray: ArrayLike<unknown>
}

/** Waits until the fonts that a finished operator list names are known, and answers them by name. */
export async function fontsOf(
  page: PDFPageProxy,
  list: OperatorList,
): Promise<Map<string, FontView>> {
  const names = new Set<string>()
  for (let i = 0; i < list.fnArray.length; i++) {
    const args = list.argsArray[i] as unknown[]
    if (list.fnArray[i] === OPS.setFont) names.add(String(args[0]))
    else if (list.fnArray[i] === OPS.setGState && Array.isArray(args[0])) {
      for (const [key, value] of args[0] as [string, unknown][])
        if (key === 'Font' && Array.isArray(value)) names.add(String(value[0]))
    }
  }
  const objects = page.commonObjs as {
    has(name: string): boolean
    get(name: string, callback?: (data: FontView) => void): FontView | null
  }
  const fonts = new Map<string, FontView>()
  for (const name of names) {
    const known = objects.has(name)
      ? objects.get(name)
      : await new Promise<FontView | null>((resolve) => {
          const timer = setTimeout(() => resolve(null), 1000)
          objects.get(name, (data) => {
            clearTimeout(timer)
            resolve(data)
          })
        })
    if (known) fonts.set(name, known)
  }
  return fonts
}
