/** What a page shows, as the rest of the extraction sees it: glyphs and rulings. */

/** Direction of writing in quarter turns clockwise: 0 to the right, 1 down, 2 to the left, 3 up. */
export type Turn = 0 | 1 | 2 | 3

/** One shown glyph in points, on the upright page, y downwards. */
export interface Glyph {
  /** Unicode text; more than one character for a ligature. */
  text: string
  /** Origin on the baseline. */
  x: number
  y: number
  /** Length of the advance along the direction of writing, without spacing. */
  width: number
  /** Font size on the page. */
  size: number
  turn: Turn
  font: string
  /** Glyphs written from top to bottom by a vertical font. */
  vertical: boolean
}

/** A drawn horizontal or vertical line, or the edge of a filled rectangle. */
export interface Ruling {
  horizontal: boolean
  /** y of a horizontal, x of a vertical ruling. */
  at: number
  from: number
  to: number
  /** False for the edges of a filled area, which bound cells but draw no line. */
  drawn: boolean
}

/** A drawn thing that is no ruling: a filled area, a curve or a slanted line. */
export interface Shape {
  kind: 'area' | 'stroke'
  x0: number
  y0: number
  x1: number
  y1: number
}

export interface PageMarks {
  width: number
  height: number
  glyphs: Glyph[]
  rulings: Ruling[]
  shapes: Shape[]
  /** Images that the page paints. */
  images: number
  /** Glyphs that no font says the characters of; their text is left out. */
  unread: number
  /** Not all operators were looked at. */
  truncated: boolean
}
