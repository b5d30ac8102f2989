/** Half of a surrogate pair at the end: clients that write strict UTF-8 cannot send it back. */
const HALF_PAIR = /[\ud800-\udbff]$/

/** The first `length` characters of a text, or one fewer where the last would be half of one. */
export function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(HALF_PAIR, '')
}
