/** What the extract skill asks the enrichment model. */
import type { ModelQuestion } from '#skillkit'

const RULES =
  'You extract data from a document. Answer with one JSON object and nothing else, with exactly the keys of the schema (or, without a schema, the keys that the instruction asks for). Copy values word for word as they are written in the document; numbers as JSON numbers. Use null for whatever the document does not say.'

export interface ExtractionWish {
  schema?: unknown
  instruction?: string
}

/** The question about a document, by the caller's schema, instruction or both. */
export function questionAbout(document: string, wish: ExtractionWish): ModelQuestion {
  const wishes = [
    wish.instruction && `Instruction: ${wish.instruction}`,
    wish.schema !== undefined && `Schema: ${JSON.stringify(wish.schema)}`,
  ]
  return { rules: RULES, wish: wishes.filter(Boolean).join('\n\n'), document }
}
