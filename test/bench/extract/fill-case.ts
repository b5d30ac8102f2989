/** What a fixture of schema filling is: a document, the schema asked for, and the right answer. */
export interface FillCase {
  name: string
  source?: 'html' | 'text'
  content: string
  url?: string
  schema: object
  /** Null where the document does not say; anything else there is invented. */
  expected: unknown
}

export const jsonLd = (value: object): string =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`
export const object = (properties: object, more: object = {}): object => ({
  type: 'object',
  properties,
  ...more,
})
export const list = (items: object): object => ({ type: 'array', items })
export const STRING = { type: 'string' }
export const NUMBER = { type: 'number' }
export const INTEGER = { type: 'integer' }
export const BOOLEAN = { type: 'boolean' }
export const DATE = { type: 'string', format: 'date' }
export const URI = { type: 'string', format: 'uri' }
