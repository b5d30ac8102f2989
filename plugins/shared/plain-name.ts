/**
 * JSON Schema's pattern of a name that people read in lists: no control characters, none that turn the
 * text around (bidirectional controls), no separators of lines.
 */
export const PLAIN_NAME =
  '^[^\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]*$'
