/** The text of one block as Markdown, gathered while its elements are walked. */
import { attr, type Element } from '../dom/tree.ts'
import type { Resolve } from '../harvest/links.ts'

const SIGNS: Readonly<Record<string, string>> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  del: '~~',
  s: '~~',
  code: '`',
  kbd: '`',
}

/** Signs that Markdown would act on, with a backslash before each. */
export const escapeMarkdown = (text: string): string =>
  text.replaceAll(/[\\`*_[\]<>|~]/g, (sign) => `\\${sign}`)

/** Code between more signs in a row than it has itself. */
function codeSpan(code: string): string {
  const runs = (code.match(/`+/g) ?? []).map((run) => run.length)
  if (runs.length === 0) return `\`${code}\``
  const sign = '`'.repeat(Math.max(...runs) + 1)
  return `${sign} ${code} ${sign}`
}

export class Markup {
  readonly #resolve: Resolve
  #text = ''
  #depth = 0
  #codeDepth = 0
  /** An element reaches over the end of a block: its signs would not match. */
  #isTorn = false

  constructor(resolve: Resolve) {
    this.#resolve = resolve
  }

  text(value: string, isRaw: boolean): void {
    // A line break of the markup is none of the text, also behind two spaces.
    const folded = isRaw ? value : value.replaceAll(/\s+/g, ' ')
    this.#text += isRaw || this.#codeDepth > 0 ? folded : escapeMarkdown(folded)
  }

  sign(text: string): void {
    this.#text += text
  }

  /** Begins an inline element; what is answered ends it. */
  open(element: Element): () => void {
    const { tagName } = element
    const href = tagName === 'a' ? attr(element, 'href')?.trim() : undefined
    const isLink = href !== undefined && href !== '' && !/^(?:#|javascript:|data:)/i.test(href)
    const sign = this.#codeDepth > 0 ? undefined : SIGNS[tagName]
    if (!isLink && sign === undefined) return () => undefined
    const from = this.#text.length
    this.#depth += 1
    if (sign === '`') this.#codeDepth += 1
    return () => {
      this.#depth -= 1
      if (sign === '`') this.#codeDepth -= 1
      const inner = this.#text.slice(from)
      const core = inner.trim()
      if (core === '' || this.#isTorn) return
      const at = inner.indexOf(core)
      const marked = isLink
        ? `[${core}](${this.#resolve(href).replaceAll(/[\s()<>]/g, encodeURIComponent)})`
        : sign === '`'
          ? codeSpan(core)
          : `${sign}${core}${sign}`
      this.#text =
        this.#text.slice(0, from) + inner.slice(0, at) + marked + inner.slice(at + core.length)
    }
  }

  /** The text so far, which begins anew; undefined where it cannot be told by itself. */
  take(isRaw: boolean): string | undefined {
    const text = this.#text
    const isTorn = this.#isTorn || this.#depth > 0
    this.#text = ''
    this.#isTorn = this.#depth > 0
    if (isTorn) return undefined
    if (isRaw) return text.replace(/^\n+|\s+$/g, '')
    return text
      .split('  \n')
      .map((line) => line.replaceAll(/\s+/g, ' ').trim())
      .join('  \n')
      .replaceAll(/^(?: {2}\n)+|(?: {2}\n)+$/g, '')
      .trim()
  }
}
