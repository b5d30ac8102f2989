/** Texts of metadata that hold markup, as plain paragraphs. */
import { textOfMarkup } from '../dom/tree.ts'

const MARKUP =
  /<\/?(?:p|br|div|span|a|b|i|u|em|strong|small|ul|ol|li|h[1-6]|img|figure|figcaption|blockquote|table|tr|td|th|section|article|script|style|iframe|hr|pre|code)(?:\s[^<>]*)?\/?>/i
const BREAKS =
  /<\/(?:p|div|li|h[1-6]|blockquote|tr|section|article|figure|pre|table|ul|ol)\s*>|<(?:br|hr)\s*\/?>/i

/** Whether a text holds elements of HTML. */
export const hasMarkup = (text: string): boolean =>
  MARKUP.test(text) || /&lt;\/?(?:p|br|div|span|a)\b/i.test(text)

/** The text without its tags, its paragraphs parted by empty lines; a plain one as it is. */
export function bodyText(text: string): string {
  if (!hasMarkup(text)) return text
  const plain = MARKUP.test(text) ? text : text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')
  return plain
    .replaceAll(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .split(new RegExp(BREAKS, 'i'))
    .map(textOfMarkup)
    .filter(Boolean)
    .join('\n\n')
}
