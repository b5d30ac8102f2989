/** The forms in which a page comes besides its data. */
export const PAGE_FORMATS = ['markdown', 'html', 'links', 'images', 'metadata'] as const
export type PageFormat = (typeof PAGE_FORMATS)[number]

export interface PageForms {
  /** The article, with its links. */
  markdown?: string
  /** The page's markup without scripts, styles and furniture. */
  html?: string
  links?: { text: string; url: string }[]
  images?: string[]
  metadata?: Record<string, unknown>
}
