/** Reads the two documents of a request: objects as they are, text as JSON or YAML, both capped. */
import { isScalar, LineCounter, parseDocument, visit } from 'yaml'
import type { Document as YamlDocument } from 'yaml'
import { Document, type Family } from './document.ts'
import { isMap, type JsonMap } from './pointer.ts'
import { sizeProblem } from '../measure.ts'

/** Longest text of one document. */
const TEXT_MAX = 10 * 1024 * 1024
/** Most values in one document, YAML aliases counted as often as they are used. */
const VALUES_MAX = 1_000_000
/** Deepest nesting of one document. */
const DEPTH_MAX = 200
/** Most YAML aliases of one document; the library counts nested ones by what they expand to. */
const ALIASES_MAX = 100

export interface InputProblem {
  /** Pointer into the request body. */
  path: string
  message: string
}
export type FormatChoice = Family | 'auto'
type Read = { ok: true; value: JsonMap | boolean } | { ok: false; message: string }

/** Both documents and what they are, or what is wrong with them. */
export function readDocuments(
  before: unknown,
  after: unknown,
  format: FormatChoice,
):
  | { ok: true; before: Document; after: Document; family: Family }
  | { ok: false; problems: InputProblem[] } {
  const first = read(before)
  const second = read(after)
  const problems: InputProblem[] = []
  if (!first.ok) problems.push({ path: '/before', message: first.message })
  if (!second.ok) problems.push({ path: '/after', message: second.message })
  if (!first.ok || !second.ok) return { ok: false, problems }
  const families = [familyOf(first.value), familyOf(second.value)]
  const family = format === 'auto' ? families[0]! : format
  for (const [at, name] of ['before', 'after'].entries()) {
    if (families[at] !== family) {
      const message =
        format === 'auto'
          ? `is ${families[at]}, but before is ${family}: both must be of one kind`
          : `is not an ${family} document`
      if (family === 'openapi' || format === 'auto') problems.push({ path: `/${name}`, message })
    }
  }
  if (problems.length > 0) return { ok: false, problems }
  const documents = {
    before: new Document(first.value, family),
    after: new Document(second.value, family),
  }
  return { ok: true, ...documents, family }
}

function familyOf(value: JsonMap | boolean): Family {
  if (!isMap(value)) return 'json-schema'
  const described = typeof value.openapi === 'string' || value.swagger !== undefined
  const looksLike = isMap(value.paths) && value.$schema === undefined && value.type === undefined
  return described || looksLike ? 'openapi' : 'json-schema'
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

function readYaml(text: string): { ok: true; value: unknown } | { ok: false; message: string } {
  const lines = new LineCounter()
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      merge: true,
      logLevel: 'silent',
      // The library compares each key with every other one: half a minute for 30,000.
      uniqueKeys: false,
    })
    const error = document.errors[0] ?? repeatedKey(document)
    if (error) {
      const { line, col } = lines.linePos(error.pos[0])
      const reason = error.message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '')
      return {
        ok: false,
        message: `is neither JSON nor YAML (line ${line}, column ${col}): ${reason}`,
      }
    }
    return { ok: true, value: document.toJS({ maxAliasCount: ALIASES_MAX }) }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
    return { ok: false, message: `cannot be read as YAML: ${reason}` }
  }
}

/** The first key that its map has already, in the form of the library's own errors. */
function repeatedKey(document: YamlDocument): { pos: [number]; message: string } | null {
  let found: { pos: [number]; message: string } | null = null
  visit(document, {
    Map: (_, map) => {
      const keys = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key) || key.value === '<<') continue
        if (keys.has(key.value)) {
          found = { pos: [key.range?.[0] ?? 0], message: 'Map keys must be unique' }
          return visit.BREAK
        }
        keys.add(key.value)
      }
    },
  })
  return found
}
