/** Recall of embedded metadata: the leaves of every fixture found in the answer of its syntax. */
import { runExtract } from '../../../plugins/utils/extract/worker.ts'
import type { MetadataPage, Syntax } from './metadata-pages.ts'

const FIELD_OF: { [syntax in Syntax]: string } = {
  'json-ld': 'json_ld',
  microdata: 'microdata',
  rdfa: 'rdfa',
  opengraph: 'opengraph',
  twitter: 'twitter',
  'dublin core': 'dublin_core',
  meta: 'meta',
}

/** Names without namespace, values without differences of white space. */
const localName = (name: string): string =>
  name
    .replace(/^https?:\S*[#/]/, '')
    .replace(/^(og|fb|video|music|article|product|profile|twitter|dc|dcterms|dct)[.:](?=.)/i, '')
    .replace(/^[a-z]\w*:/i, (prefix) => (/^(image|locale|price):$/i.test(prefix) ? prefix : ''))
    .replace(/^@/, '')
    .toLowerCase()
const plain = (value: unknown): string =>
  String(value)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()

function collect(name: string, value: unknown, into: string[]): void {
  if (Array.isArray(value)) for (const one of value) collect(name, one, into)
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) collect(key, inner, into)
  else into.push(`${localName(name)}=${plain(value)}`)
}

export interface MetadataScore {
  leaves: number
  found: number
  misses: string[]
}

export function scoreMetadata(pages: readonly MetadataPage[]): Map<Syntax, MetadataScore> {
  const scores = new Map<Syntax, MetadataScore>()
  for (const page of pages) {
    const score = scores.get(page.syntax) ?? { leaves: 0, found: 0, misses: [] }
    scores.set(page.syntax, score)
    const outcome = runExtract({
      source: 'html',
      content: page.html,
      contentType: null,
      url: page.url ?? null,
    })
    if (!outcome.ok) throw new Error(outcome.message)
    const left: string[] = []
    collect('', (outcome.data as { [field: string]: unknown })[FIELD_OF[page.syntax]], left)
    for (const [name, value] of page.leaves) {
      score.leaves += 1
      const at = left.indexOf(`${localName(name)}=${plain(value)}`)
      if (at === -1) score.misses.push(`${page.syntax} ${page.name}: ${name} = ${value}`)
      else {
        score.found += 1
        left.splice(at, 1)
      }
    }
  }
  return scores
}
