/**
 * Titles and descriptions of a product as they are shown. Whoever wrote them, such as the author of an
 * imported API description, could hide orders to an assistant in them, or show words in another order
 * than they have.
 */
import { schemaParts, type ReportProblem, type SchemaPart } from '#kernel/host'
import type { ProductDocument } from './document.ts'

/**
 * Control characters (but blanks), tags, halves of characters, and what turns a text around until it is
 * ended. Marks of direction stay: texts of right-to-left scripts need them.
 */
const UNSEEN = /(?![\t\n\r])\p{Cc}|[\p{Cs}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{e0000}-\u{e007f}]/gu
const NAMES = ['title', 'description'] as const

/** The document without them; `warning` tells where they stood. */
export function withoutUnseen(document: ProductDocument, warning: ReportProblem): ProductDocument {
  const changed = unseenTexts(document)
  if (changed.length === 0) return document
  for (const { at, name } of changed)
    warning([...at, name], 'has characters that nobody sees; they are left out')
  const shown = structuredClone(document)
  for (const { part, name, text } of unseenTexts(shown)) part[name] = text
  return shown
}

interface UnseenText extends SchemaPart {
  name: (typeof NAMES)[number]
  /** What is left of it. */
  text: string
}

function unseenTexts(document: ProductDocument): UnseenText[] {
  const places = [{ part: document as SchemaPart['part'], at: [] }, ...skillParts(document)]
  return places.flatMap(({ part, at }) =>
    NAMES.flatMap((name) => {
      const given = part[name]
      if (typeof given !== 'string') return []
      const text = given.replaceAll(UNSEEN, '')
      return text === given ? [] : [{ part, at, name, text }]
    }),
  )
}

/** Each skill and the schemas in it. */
function skillParts({ skills = [] }: ProductDocument): SchemaPart[] {
  return skills.flatMap((skill, index) => {
    const at = ['skills', index]
    const ofTools = Object.entries(skill.tool_inputs ?? {})
    return [
      { part: skill as SchemaPart['part'], at },
      ...schemaParts(skill.input, [...at, 'input']),
      ...schemaParts(skill.output, [...at, 'output']),
      ...ofTools.flatMap(([tool, schema]) => schemaParts(schema, [...at, 'tool_inputs', tool])),
    ]
  })
}
