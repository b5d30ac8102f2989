/** What a page says of itself, and what is read in it. */
import type { ArticleText } from './article/text.ts'

export interface PageSummary {
  kind: string
  title: string | null
  authors: string[]
  published_at: string | null
  modified_at: string | null
  site_name: string | null
  description: string | null
  language: string | null
  url: string | null
  image: string | null
  images: string[]
  favicon: string | null
  keywords: string[]
  headings: string[]
  links: { text: string; url: string }[]
  text: string
  word_count: number
  /** All visible text of the page on one line. */
  visible: string
  engine: ArticleText['engine']
  /** Where each field was found. */
  paths: { [field: string]: string }
}
