/** What recognition of drawn text (OCR) gives, and to whom: pages as pixels in, words with boxes out. */

/** A word with its box in any unit, y downwards, as pdf.js and OCR give it. */
export interface BoxedWord {
  text: string
  x0: number
  y0: number
  x1: number
  y1: number
  /** 0..1 */
  confidence?: number
}

/** The words of one page in its upright orientation. */
export interface Recognition {
  words: BoxedWord[]
  /** Size of the upright image that the boxes are in. */
  width: number
  height: number
  /** Mean confidence of the words, weighted by length, 0..1. */
  legibility: number
  /** The time given was over before all text was read: the rest is missing. */
  isPartial: boolean
}
