/** Short texts compared: headlines, page titles, names. */

export interface Found<T = string> {
  value: T
  /** Where it was found: 'json_ld[0].headline'. */
  path: string
}

const SEPARATOR =
  /\s+[|\u2013\u2014\u00bb\u00b7\u2022\u2219~‹›«/\\]+\s+|\s+-{1,2}\s+|\s*::\s*|\s+[<>]\s+|\s*[|｜]\s*|\s+—\s*|_(?=[^\p{Script=Latin}\s]+$)/u

export const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
export const fold = (text: string): string => words(text).join('')

/** The parts of a title between separators. */
export function partsOf(title: string): string[] {
  return title
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Share of words that two texts have in common, of the longer one. */
export function overlap(a: string, b: string): number {
  const [one, two] = [new Set(words(a)), new Set(words(b))]
  const shared = [...one].filter((word) => two.has(word)).length
  return shared / Math.max(1, Math.max(one.size, two.size))
}
