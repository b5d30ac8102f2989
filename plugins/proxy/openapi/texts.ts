/** Texts of OpenAPI documents for people and models: without HTML, and not long. */
import { cutText } from '../../shared/cut-text.ts'

const TEXT_MAX = 400

/** A text for people, without the HTML that documents have in their Markdown. */
export function clip(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = cutText(value.replaceAll(HTML_TAG, '').trim(), TEXT_MAX).trimEnd()
  return text === '' ? undefined : text
}

/** A title, which stands in one line. */
export const clipLine = (value: unknown): string | undefined => clip(value)?.replaceAll(/\s+/g, ' ')

/** Tags of texts; `<id>` and its like are words of the document. */
const HTML_TAG = /<\/?(?:a|b|br|code|div|em|h[1-6]|i|li|ol|p|pre|span|strong|ul)(?:\s[^<>]*)?\/?>/gi
