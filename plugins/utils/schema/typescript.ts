/** TypeScript declarations of a JSON Schema: what a value that fits it looks like to a compiler. */
import { cutText } from '../../shared/cut-text.ts'
import { pointerKeys, pointerOfFragment, valueAt } from '../../shared/json-pointer.ts'
import { isMap, type JsonMap } from '../diff/pointer.ts'
import { detectDraft } from './dialect.ts'

/** Longest text of declarations. */
const LENGTH_MAX = 1_000_000
const DEPTH_MAX = 60
const NAME = /^[A-Za-z_$][\w$]*$/
const WORDS: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

class Writer {
  readonly #root: unknown
  /** Whether `$ref` hides what stands beside it, as up to draft-07. */
  readonly #isAlone: boolean
  /** Names of the definitions that references lead to, by their pointer. */
  readonly #names = new Map<string, string>()
  readonly #waiting: { name: string; schema: unknown }[] = []
  readonly #taken: Set<string>
  #length = 0
  #nesting = 0

  constructor(root: unknown, name: string) {
    this.#root = root
    const dialect = detectDraft(root)
    this.#isAlone = dialect.ok && dialect.draft <= 7
    this.#taken = new Set([name])
    this.#names.set('#', name)
    this.#waiting.push({ name, schema: root })
  }

  /** Every declaration, the root's first. */
  write(): string {
    const out: string[] = []
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const type = this.#type(next.schema, 0)
      const isObject = type.startsWith('{') && type.endsWith('}') && isMap(next.schema)
      const comment = isMap(next.schema) ? commentOf(next.schema, '') : ''
      const isPlain = isObject && matchingBrace(type) === type.length - 1
      out.push(
        isPlain
          ? `${comment}export interface ${next.name} ${type}`
          : `${comment}export type ${next.name} = ${type}`,
      )
    }
    return `${out.join('\n\n')}\n`
  }

  #type(schema: unknown, depth: number): string {
    if (this.#nesting > DEPTH_MAX || this.#length > LENGTH_MAX) return 'unknown'
    this.#nesting += 1
    const type = this.#typeBelow(schema, depth)
    this.#nesting -= 1
    return type
  }

  #typeBelow(schema: unknown, depth: number): string {
    if (schema === true) return 'unknown'
    if (schema === false) return 'never'
    if (!isMap(schema)) return 'unknown'
    const referred = typeof schema.$ref === 'string' ? this.#reference(schema.$ref) : null
    if (referred !== null && this.#isAlone) return referred
    if ('const' in schema) return literal(schema.const)
    if (Array.isArray(schema.enum)) return union(schema.enum.map(literal))
    const parts: string[] = referred === null ? [] : [referred]
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const branches = schema[keyword]
      if (Array.isArray(branches) && branches.length > 0)
        parts.push(union(branches.map((one) => this.#type(one, depth + 1))))
    }
    if (Array.isArray(schema.allOf))
      parts.push(...schema.allOf.map((one) => this.#type(one, depth + 1)))
    const own = this.#own(schema, depth)
    if (own !== 'unknown') parts.unshift(own)
    const said = [...new Set(parts)].filter((part) => part !== 'unknown')
    if (said.length === 0) return 'unknown'
    return said.length === 1 ? said[0]! : said.map(inParentheses).join(' & ')
  }

  /** What `type` and the keywords beside it say. */
  #own(schema: JsonMap, depth: number): string {
    const types = typesOf(schema)
    if (types.length === 0) return 'unknown'
    const named = types.map((type) => {
      if (type === 'object') return this.#object(schema, depth)
      if (type === 'array') return this.#array(schema, depth)
      return WORDS[type] ?? 'unknown'
    })
    const isNullable = schema.nullable === true && !types.includes('null')
    return union(isNullable ? [...named, 'null'] : named)
  }

  #object(schema: JsonMap, depth: number): string {
    const required = new Set(Array.isArray(schema.required) ? schema.required : [])
    const indent = '  '.repeat(depth + 1)
    const lines: string[] = []
    for (const [name, value] of Object.entries(isMap(schema.properties) ? schema.properties : {})) {
      const key = NAME.test(name) ? name : JSON.stringify(name)
      const type = this.#type(value, depth + 1)
      const comment = isMap(value) ? commentOf(value, indent) : ''
      const isReadOnly = isMap(value) && value.readOnly === true
      const line = `${comment}${indent}${isReadOnly ? 'readonly ' : ''}${key}${required.has(name) ? '' : '?'}: ${type}`
      this.#length += line.length
      lines.push(line)
    }
    const rest = schema.additionalProperties ?? true
    const patterns = isMap(schema.patternProperties) ? Object.values(schema.patternProperties) : []
    if (lines.length === 0) {
      const values = union([...patterns, rest].map((one) => this.#type(one, depth)))
      // An alias may lead to itself through a signature, and not through `Record`.
      return `{ [key: string]: ${values} }`
    }
    const isMapLike = patterns.length > 0 || isMap(rest) || schema.additionalProperties === true
    // The signature must take in every named member too.
    if (isMapLike) lines.push(`${indent}[key: string]: unknown`)
    return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`
  }

  #array(schema: JsonMap, depth: number): string {
    const positions = Array.isArray(schema.prefixItems)
      ? schema.prefixItems
      : Array.isArray(schema.items)
        ? schema.items
        : null
    if (positions) {
      const least = typeof schema.minItems === 'number' ? schema.minItems : 0
      const items = positions.map((one, at) => {
        const type = this.#type(one, depth)
        return at < least ? type : `${inParentheses(type)}?`
      })
      const isClosed = typeof schema.maxItems === 'number' && schema.maxItems <= positions.length
      const after = Array.isArray(schema.items) ? schema.additionalItems : schema.items
      const isOpen = after !== false && !isClosed
      return `[${[...items, ...(isOpen ? ['...unknown[]'] : [])].join(', ')}]`
    }
    return `${inParentheses(this.#type(schema.items ?? true, depth))}[]`
  }

  #reference(reference: string): string {
    const known = this.#names.get(reference)
    if (known) return known
    if (!reference.startsWith('#/')) return 'unknown'
    const pointer = pointerOfFragment(reference.slice(1))
    const schema = valueAt(this.#root, pointer)
    if (schema === undefined) return 'unknown'
    const name = this.#freeName(typeName(pointerKeys(pointer).at(-1)!))
    this.#names.set(reference, name)
    this.#waiting.push({ name, schema })
    return name
  }

  #freeName(name: string): string {
    let free = name
    for (let count = 2; this.#taken.has(free); count += 1) free = `${name}${count}`
    this.#taken.add(free)
    return free
  }
}

/** The types that a schema states, or those that its keywords speak of. */
function typesOf(schema: JsonMap): string[] {
  if (typeof schema.type === 'string') return [schema.type]
  if (Array.isArray(schema.type)) return schema.type.filter((type) => typeof type === 'string')
  const members = ['properties', 'patternProperties', 'additionalProperties']
  if (members.some((keyword) => isMap(schema[keyword]))) return ['object']
  return schema.items === undefined && schema.prefixItems === undefined ? [] : ['array']
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (isMap(value)) {
    const members = Object.entries(value).map(
      ([key, one]) => `${JSON.stringify(key)}: ${literal(one)}`,
    )
    return `{ ${members.join('; ')} }`
  }
  return JSON.stringify(value) ?? 'unknown'
}

function union(types: readonly string[]): string {
  const different = [...new Set(types)].filter((type, _, all) => type !== 'never' || all.length < 2)
  if (different.length === 0) return 'never'
  if (different.includes('unknown')) return 'unknown'
  return different.join(' | ')
}

const inParentheses = (type: string): string =>
  /^[\w$"'.]+$/.test(type) || isWrapped(type) ? type : `(${type})`

const isWrapped = (type: string): boolean =>
  type.startsWith('{') && matchingBrace(type) === type.length - 1

/** Where the brace that opens a text is closed; strings are skipped. */
function matchingBrace(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!
    if (sign === '"') {
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1
    } else if (sign === '/' && text[at + 1] === '*') at = text.indexOf('*/', at) + 1
    else if (sign === '{') depth += 1
    else if (sign === '}' && --depth === 0) return at
  }
  return -1
}

function commentOf(schema: JsonMap, indent: string): string {
  const text = [schema.title, schema.description]
    .filter((one): one is string => typeof one === 'string' && one.trim() !== '')
    .join('. ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('*/', '* /')
  return text === '' ? '' : `${indent}/** ${cutText(text, 500)} */\n`
}

/** A name for a type, of any text. */
export function typeName(text: string): string {
  const name = text
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('')
  if (name === '') return 'Root'
  return /^\d/.test(name) ? `T${name}` : name
}

/** The declarations of a schema as TypeScript; `name` is the root's. */
export const typescriptOf = (schema: unknown, name = 'Root'): string =>
  new Writer(schema, typeName(name)).write()
