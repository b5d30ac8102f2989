/**
 * What an article fixture is. The text that a reader would call the article stands between ⟦ and ⟧
 * in the page itself; the bench takes the marks out before the page is read.
 */
import type { Story } from './stories.ts'

export interface ArticlePage {
  name: string
  html: string
  title: string
  /** Null: nobody is named, and naming somebody is an error. */
  author: string | null
  /** YYYY-MM-DD; null: no date of publication is given. */
  date: string | null
  url?: string
  /** The text, where it is not visible in the page and so cannot be marked. */
  text?: string
}

export const mark = (text: string): string => `⟦${text}⟧`
export const paragraphs = (story: Story, from = 0, to = story.paragraphs.length): string =>
  story.paragraphs
    .slice(from, to)
    .map((text) => `<p>${mark(text)}</p>`)
    .join('\n')
export const jsonLd = (value: object): string =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`

const ENTITIES: { [name: string]: string } = {
  nbsp: ' ',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  mdash: '—',
  rsquo: '’',
}

/** The page without marks, and the text between them. */
export function unmarked(page: ArticlePage): { html: string; text: string } {
  const pieces = [...page.html.matchAll(/⟦([^⟧]*)⟧/g)].map(([, piece]) =>
    piece!
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole),
  )
  return { html: page.html.replaceAll(/[⟦⟧]/g, ''), text: page.text ?? pieces.join('\n') }
}
