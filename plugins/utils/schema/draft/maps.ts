/**
 * Objects that are maps: their keys are ids, not names of members, and their values are all of one
 * kind. A schema that named each key would be long, and refuse the next one.
 */
import type { Facts, ObjectFacts } from './observe.ts'

/** Keys that make a map of ids. */
const IDS_MIN = 3
/** Keys of any form that make one, where all values are objects with the same members. */
const RECORDS_MIN = 10
/** Keys of any form that make one, where all values are scalars of one type. */
const SCALARS_MIN = 25
/** Share of the members of all values that a value must have for them to be of one kind. */
const ALIKE_LEAST = 0.6

/** Forms of ids, each as a pattern that every validator reads alike. */
const ID_PATTERNS = [
  '^[0-9]+$',
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
  '^[0-9]{4}-[0-9]{2}(-[0-9]{2})?([T ].*)?$',
  '^[0-9]{1,3}(\\.[0-9]{1,3}){3}$',
  '^v?[0-9]+\\.[0-9]+(\\.[0-9]+)?([-+].*)?$',
  '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
  '^[a-z][a-z0-9+.-]*://',
  '^/',
  '^[0-9A-HJKMNP-TV-Z]{26}$',
  '^[0-9a-fA-F]{8,}$',
  '^[A-Za-z]{1,12}[_:.-]?[0-9]{2,}$',
  '^[A-Za-z]{1,12}[_:-][A-Za-z0-9]*[0-9][A-Za-z0-9]*$',
] as const
const TESTS = ID_PATTERNS.map((pattern) => ({ pattern, test: new RegExp(pattern) }))

export interface MapForm {
  /** What the keys look like; null where only their values make it a map. */
  pattern: string | null
}

/** What kind of map the objects at one place are; null when their keys are names. */
export function mapForm(facts: ObjectFacts): MapForm | null {
  const keys = [...facts.members.keys()]
  if (keys.length < IDS_MIN || !areAlike([...facts.members.values()].map((one) => one.facts)))
    return null
  const form = TESTS.find(({ test }) => keys.every((key) => test.test(key)))
  // Hexadecimal names without a digit are words.
  if (form && keys.some((key) => /\d|[/@:]/.test(key))) return { pattern: form.pattern }
  const isOfRecords = keys.length >= RECORDS_MIN && hasObjects(facts)
  return isOfRecords || keys.length >= SCALARS_MIN ? { pattern: null } : null
}

const hasObjects = (facts: ObjectFacts): boolean =>
  [...facts.members.values()].every((member) => (member.facts.objects?.members.size ?? 0) > 1)

/** The one type of the values at a place, null aside; null when there are several. */
function kindOf(facts: Facts): string | null {
  const kinds = [
    facts.objects && 'object',
    facts.arrays && 'array',
    facts.strings.count > 0 && 'string',
    facts.integers + facts.fractions > 0 && 'number',
    facts.booleans > 0 && 'boolean',
  ].filter((kind) => typeof kind === 'string')
  return kinds.length === 1 ? kinds[0]! : null
}

function areAlike(values: readonly Facts[]): boolean {
  const kinds = new Set(values.map(kindOf))
  const kind = [...kinds][0]
  if (kinds.size !== 1 || kind === null) return false
  if (kind !== 'object') return true
  const all = new Set(values.flatMap((one) => [...one.objects!.members.keys()]))
  const shared = values.reduce((sum, one) => sum + one.objects!.members.size, 0)
  return all.size === 0 || shared >= all.size * values.length * ALIKE_LEAST
}
