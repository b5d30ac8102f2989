/** The fields an instruction names in words we know: "get the price and the author". */
import { groupOf, isKnownPhrase, phraseOf } from './keys.ts'

const LISTS = new Set([
  'images',
  'keywords',
  'ingredients',
  'instructions',
  'headings',
  'cast',
  'performer',
])
/** Words of instructions that would be read as fields. */
const COMMON = new Set(
  'about by from page data list item items name by when where text content story article source time total data info post link create created is are order steps on to product company event location place'.split(
    ' ',
  ),
)
const FIELDS_MAX = 30

/** A schema of the named fields, or null when none is known. */
export function schemaOfInstruction(instruction: string): object | null {
  const words = phraseOf(instruction).split(' ')
  const properties: { [name: string]: object } = {}
  for (let at = 0; at < words.length; at += 1) {
    for (const length of [3, 2, 1]) {
      const phrase = words.slice(at, at + length).join(' ')
      if (
        at + length > words.length ||
        !isKnownPhrase(phrase) ||
        (length === 1 && COMMON.has(phrase))
      )
        continue
      const isList = LISTS.has(groupOf(phrase))
      properties[phrase.replaceAll(' ', '_')] = isList
        ? { type: 'array', items: { type: 'string' } }
        : {}
      at += length - 1
      break
    }
  }
  const names = Object.keys(properties)
  if (names.length === 0 || names.length > FIELDS_MAX) return null
  return { type: 'object', properties }
}
