/** Schemas of moderate size out of a folder of real ones, each with the definitions it refers to. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { valueAt } from '../../../plugins/shared/json-pointer.ts'
import { isMap, type JsonMap } from '../../../plugins/utils/diff/pointer.ts'

/** Length of a schema's JSON, least and most. */
const LENGTHS = [60, 1_500] as const
/** Most definitions that one brings along, and their length together. */
const DEFINITIONS_MAX = 6
const WHOLE_MAX = 4_000
/** Most schemas out of one file. */
const OF_FILE_MAX = 12

/** The files below `path`. */
function filesOf(path: string): string[] {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(path, name)))
}

/** The schemas below `folder` by file and pointer. */
export function corpusOf(folder: string): { name: string; schema: JsonMap }[] {
  return filesOf(folder).flatMap((file) => {
    const root = readJson(file)
    if (!isMap(root)) return []
    const found: { name: string; schema: JsonMap }[] = []
    collect(root, root, '', (pointer, schema) => {
      if (found.length < OF_FILE_MAX)
        found.push({ name: `${file.slice(folder.length)}${pointer}`, schema })
    })
    return found
  })
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

function collect(
  root: JsonMap,
  schema: unknown,
  pointer: string,
  take: (pointer: string, schema: JsonMap) => void,
): void {
  if (!isMap(schema)) return
  const { length } = JSON.stringify(schema)
  if (length < LENGTHS[0]) return
  if (length <= LENGTHS[1]) {
    const whole = withDefinitions(root, schema)
    if (whole) take(pointer, whole)
    return
  }
  for (const key of ['properties', 'definitions', '$defs']) {
    for (const [name, value] of Object.entries(isMap(schema[key]) ? schema[key] : {}))
      collect(root, value, `${pointer}/${key}/${name}`, take)
  }
  for (const key of ['items', 'additionalProperties'])
    collect(root, schema[key], `${pointer}/${key}`, take)
}

/** `schema` with all it refers to inside `root`; null where that is too much or elsewhere. */
function withDefinitions(root: JsonMap, schema: JsonMap): JsonMap | null {
  const $defs: JsonMap = {}
  const names = new Map<string, string>()
  const queue: unknown[] = []
  const taken = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(taken)
    if (!isMap(value)) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(
          ([key]) =>
            !/^(?:\$?id|\$schema|\$comment|description|title|default|examples?)$/.test(key) ||
            isMap(value[key]),
        )
        .map(([key, held]) => [
          key,
          key === '$ref' && typeof held === 'string' ? named(held) : taken(held),
        ]),
    )
  }
  const named = (reference: string): string => {
    if (!reference.startsWith('#/')) throw new RangeError(reference)
    const known = names.get(reference)
    if (known) return known
    const name = `#/$defs/d${names.size}`
    names.set(reference, name)
    queue.push(valueAt(root, reference.slice(1)))
    return name
  }
  try {
    const own = taken(schema) as JsonMap
    for (let index = 0; index < queue.length; index++) {
      if (index >= DEFINITIONS_MAX || !isMap(queue[index])) return null
      $defs[`d${index}`] = taken(queue[index])
    }
    const dialect = typeof root.$schema === 'string' ? { $schema: root.$schema } : {}
    const whole = { ...dialect, ...own, ...(queue.length > 0 && { $defs }) }
    return JSON.stringify(whole).length <= WHOLE_MAX ? whole : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
