/** Markup of server-made pages: every value in a template is escaped, so that none can become markup. */

/** Text that is markup already; only `html` makes it. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type HtmlValue = Html | string | number | null | false | readonly HtmlValue[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Markup from a template: strings are escaped for text and for quoted attributes, `Html` stands as it
 * is, lists are joined, null and false are nothing. A value must not stand in an attribute without
 * quotes, in a tag's name, or as a whole URL that a foreign party chose.
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = parts[0] ?? ''
  for (const [at, value] of values.entries()) text += textOf(value) + (parts[at + 1] ?? '')
  return new Html(text)
}

function textOf(value: HtmlValue): string {
  if (value === null || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map((one) => textOf(one)).join('')
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
