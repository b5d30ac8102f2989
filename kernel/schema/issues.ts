/**
 * Lists the issues of a value in bounded time, whatever its size. typebox walks the whole value and
 * keeps all issues, which is fine for small values. A large value is split here into small pieces
 * that typebox checks one by one, and the walk ends once enough issues are found.
 */
import Schema, { type XSchema, type Validator } from 'typebox/schema'
import type { Issue } from '../errors.ts'
import { isSmall } from './json-pieces.ts'

/** Issues listed in one answer; more would only help an attacker to enlarge it. */
export const MAX_ISSUES = 20
/** A member that is not known is answered with the names of the others, if they are not more. */
const MAX_NAMES = 20
/** The most pieces of a large value that are checked; beyond it, issues have no details. */
const MAX_PIECES = 100_000

/** Keywords that only make sense for the whole schema document, and those that it costs to explain. */
const NOT_EXPLAINED = [
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'unevaluatedItems',
  'unevaluatedProperties',
]
/** Keywords whose check needs no look at members or items. */
const SHALLOW = ['type', 'required', 'minProperties', 'maxProperties', 'minItems', 'maxItems']

/** Every bad field (at most 20) with its RFC 6901 pointer; empty when the value is valid. */
export function issuesOf(validator: Validator, value: unknown): Issue[] {
  // Listing walks the schema piece by piece also for a valid value; its check is compiled.
  if (validator.Check(value)) return []
  if (isSmall(value)) return listed(validator, value, '')
  const schema = validator.Schema()
  if (isPlain(schema) && !mentions(schema, NOT_EXPLAINED)) {
    const walk = new LargeWalk()
    walk.visit(schema, value, '')
    if (walk.issues.length > 0) return walk.issues
  }
  return [{ path: '', message: UNEXPLAINED }]
}

const UNEXPLAINED = 'does not match the schema'
type SchemaObject = Record<string, unknown>

class LargeWalk {
  readonly issues: Issue[] = []
  #pieces = 0

  visit(schema: unknown, value: unknown, path: string): void {
    if (this.#isOver() || schema === true) return
    this.#pieces++
    if (isSmall(value) || !isPlain(schema)) {
      this.#add(listed(validatorOf(schema), value, path))
      return
    }
    const before = this.issues.length
    const own = Object.fromEntries(
      SHALLOW.filter((name) => name in schema).map((name) => [name, schema[name]]),
    )
    this.#add(listed(validatorOf(own), value, path))
    if (Array.isArray(value)) this.#items(schema, value, path)
    else this.#members(schema, value as SchemaObject, path)
    if (this.issues.length > before || this.#isOver()) return
    // Another keyword refuses it: allOf and its like, a pattern of names, equal items.
    if (!validatorOf(schema).Check(value)) this.#add([{ path, message: UNEXPLAINED }])
  }

  #items({ items }: SchemaObject, value: readonly unknown[], path: string): void {
    if (!isPlain(items) && items !== false) return
    const validator = validatorOf(items)
    for (const [index, item] of value.entries()) {
      if (this.#isOver()) return
      this.#pieces++
      if (!validator.Check(item)) this.visit(items, item, `${path}/${index}`)
    }
  }

  #members(schema: SchemaObject, value: SchemaObject, path: string): void {
    const properties = isPlain(schema['properties']) ? schema['properties'] : {}
    for (const [name, member] of Object.entries(properties)) {
      if (Object.hasOwn(value, name))
        this.visit(member, value[name], `${path}/${escapePointer(name)}`)
    }
    const { additionalProperties: others, patternProperties } = schema
    if (others === undefined || others === true || patternProperties !== undefined) return
    const validator = validatorOf(others)
    for (const name in value) {
      if (this.#isOver()) return
      if (Object.hasOwn(properties, name)) continue
      this.#pieces++
      if (validator.Check(value[name])) continue
      const at = `${path}/${escapePointer(name)}`
      if (others === false) this.#add([unknownMember(at, Object.keys(properties))])
      else this.visit(others, value[name], at)
    }
  }

  #isOver(): boolean {
    return this.issues.length >= MAX_ISSUES || this.#pieces >= MAX_PIECES
  }

  #add(issues: readonly Issue[]): void {
    this.issues.push(...issues.slice(0, MAX_ISSUES - this.issues.length))
  }
}

const validators = new WeakMap<object, Validator>()
const REFUSES_ALL = Schema.Compile(false as unknown as XSchema)

function validatorOf(schema: unknown): Validator {
  if (!isPlain(schema)) return REFUSES_ALL
  const known = validators.get(schema)
  if (known) return known
  const made = Schema.Compile(schema as XSchema)
  validators.set(schema, made)
  return made
}

/** typebox's own list, in our words, for a value at `path`. */
function listed(validator: Validator, value: unknown, path: string): Issue[] {
  const [valid, errors] = validator.Errors(value)
  if (valid) return []
  const issues: Issue[] = []
  for (const { keyword, schemaPath, instancePath, message, params } of errors) {
    const at = `${path}${instancePath}`
    if (keyword === 'required') {
      const { requiredProperties } = params as { requiredProperties: string[] }
      for (const name of requiredProperties) {
        issues.push({ path: `${at}/${escapePointer(name)}`, message: 'is required' })
      }
    } else if (keyword === 'boolean') {
      issues.push(unknownMember(at, namesAt(validator.Schema(), schemaPath)))
    } else if (keyword === 'enum') {
      const { allowedValues } = params as { allowedValues: unknown[] }
      const shown = allowedValues.map((allowed) => JSON.stringify(allowed)).join(', ')
      issues.push({ path: at, message: `must be one of ${shown}` })
    } else if (keyword === 'if') {
      // typebox lists what an `else` says, and of a `then` only that it refuses.
      const { failingKeyword } = params as { failingKeyword: 'then' | 'else' }
      if (failingKeyword === 'else') continue
      const branch = partAt(validator.Schema(), schemaPath.split('/').slice(1))?.['then']
      const isExplained = isPlain(branch) && !mentions(branch, NOT_EXPLAINED)
      const part = partAt(value, pointerTokens(instancePath))
      issues.push(
        ...(isExplained ? listed(validatorOf(branch), part, at) : [{ path: at, message }]),
      )
    } else if (keyword !== 'additionalProperties') {
      // 'additionalProperties' repeats what the 'boolean' errors said member by member.
      issues.push({ path: at, message: message.replace(/have fewer than 1 \w+$/, 'be empty') })
    }
  }
  return issues.slice(0, MAX_ISSUES)
}

/** The issue of a member that an object may not have; `names` are those that it may have. */
export function unknownMember(path: string, names: readonly string[]): Issue {
  const isListed = names.length > 0 && names.length <= MAX_NAMES
  const known = isListed ? `; known are ${names.join(', ')}` : ''
  return { path, message: `is not a known member${known}` }
}

/** The members of the object schema whose additionalProperties stands at `schemaPath`. */
function namesAt(schema: unknown, schemaPath: string): string[] {
  const at = partAt(schema, schemaPath.split('/').slice(1, -1))
  return isPlain(at) && isPlain(at['properties']) ? Object.keys(at['properties']) : []
}

function partAt(value: unknown, steps: readonly string[]): SchemaObject | undefined {
  return steps.reduce((at, step) => at?.[step] as SchemaObject, value as SchemaObject | undefined)
}

function mentions(schema: unknown, keywords: readonly string[]): boolean {
  if (Array.isArray(schema)) return schema.some((part) => mentions(part, keywords))
  if (!isPlain(schema)) return false
  return (
    keywords.some((keyword) => keyword in schema) ||
    Object.values(schema).some((part) => mentions(part, keywords))
  )
}

function isPlain(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One RFC 6901 reference token. */
export function escapePointer(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The reference tokens of an RFC 6901 pointer. */
export function pointerTokens(pointer: string): string[] {
  const tokens = pointer.split('/').slice(1)
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}
