/** Reads the two documents of a request: objects as they are, text as JSON or YAML, both capped. */
import { bundle } from './bundle.ts'
import { Document, type Family } from './document.ts'
import { kindOf } from './kind.ts'
import { isMap, join, type JsonMap } from './pointer.ts'
import { sizeProblem } from '../measure.ts'
import { readYaml } from './yaml-text.ts'

/** Longest text of one document. */
const TEXT_MAX = 10 * 1024 * 1024
/** Most values in one document, YAML aliases counted as often as they are used. */
const VALUES_MAX = 1_000_000
/** Deepest nesting of one document. */
const DEPTH_MAX = 200

export interface InputProblem {
  /** Pointer into the request body. */
  path: string
  message: string
  /** It was read, and is a document of a kind that is not compared. */
  isForeign?: true
}
export type FormatChoice = Family | 'auto'
const SIDES = ['before', 'after'] as const
type Read = { ok: true; value: JsonMap | boolean } | { ok: false; message: string }

/** Further documents by the name that references have for them, each as an object or as text. */
export type Further = Readonly<Record<string, unknown>>
export interface Documents {
  before: unknown
  after: unknown
  /** Those of both versions. */
  documents?: Further
  before_documents?: Further
  after_documents?: Further
}

/** Both documents and what they are, or what is wrong with them. */
export function readDocuments(
  order: Documents,
  format: FormatChoice,
):
  | { ok: true; before: Document; after: Document; family: Family }
  | { ok: false; problems: InputProblem[] } {
  const first = read(order.before)
  const second = read(order.after)
  const problems: InputProblem[] = []
  if (!first.ok) problems.push({ path: '/before', message: first.message })
  if (!second.ok) problems.push({ path: '/after', message: second.message })
  if (!first.ok || !second.ok) return { ok: false, problems }
  const kinds = [kindOf(first.value), kindOf(second.value)] as const
  for (const [at, name] of SIDES.entries()) {
    const kind = kinds[at]!
    if (!kind.ok) problems.push({ path: `/${name}`, message: `is ${kind.name}`, isForeign: true })
  }
  const [kind, other] = kinds
  if (!kind.ok || !other.ok) return { ok: false, problems }
  const family = format === 'auto' ? kind.family : format
  for (const [at, name] of SIDES.entries()) {
    const own = [kind, other][at]!.family
    if (own === family) continue
    const message =
      format === 'auto'
        ? `is ${own}, but before is ${family}: both must be of one kind`
        : `is not an ${family} document`
    problems.push({ path: `/${name}`, message })
  }
  if (problems.length > 0) return { ok: false, problems }
  const whole = { before: first.value, after: second.value }
  for (const name of SIDES) {
    const field = `${name}_documents` as const
    const further = new Map<string, JsonMap>()
    for (const [place, given] of [
      ['documents', order.documents],
      [field, order[field]],
    ] as const) {
      for (const [key, value] of Object.entries(given ?? {})) {
        const path = join('', place, key)
        const found = read(typeof value === 'string' ? value : structuredClone(value))
        if (!found.ok) problems.push({ path, message: found.message })
        else if (isMap(found.value)) further.set(key, found.value)
        else problems.push({ path, message: 'must be an object, or JSON or YAML text of one' })
      }
    }
    if (isMap(whole[name])) whole[name] = bundle(whole[name], further)
  }
  // The same problem of what both versions share stands there once.
  if (problems.length > 0)
    return { ok: false, problems: [...new Map(problems.map((one) => [one.path, one])).values()] }
  const documents = {
    before: new Document(whole.before, family),
    after: new Document(whole.after, family),
  }
  return { ok: true, ...documents, family }
}

function read(input: unknown): Read {
  const parsed = typeof input === 'string' ? readText(input) : { ok: true as const, value: input }
  if (!parsed.ok) return parsed
  const size = sizeProblem(parsed.value, { valuesMax: VALUES_MAX, depthMax: DEPTH_MAX })
  if (size) return { ok: false, message: size }
  if (isMap(parsed.value) || typeof parsed.value === 'boolean')
    return { ok: true, value: parsed.value }
  return { ok: false, message: 'must be an object, or JSON or YAML text of one' }
}

function readText(text: string): { ok: true; value: unknown } | { ok: false; message: string } {
  if (text.length > TEXT_MAX) return { ok: false, message: `is longer than ${TEXT_MAX} characters` }
  if (/^\s*[{[]/.test(text)) {
    try {
      return { ok: true, value: JSON.parse(text) }
    } catch {
      // A YAML flow mapping starts like JSON too.
    }
  }
  return readYaml(text)
}
