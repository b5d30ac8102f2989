/**
 * JSON Schema checks of inputs, outputs and route bodies, compiled once per schema object. The
 * schemas are the operator's and plugin authors', never a caller's.
 */
import Schema, { type Validator, type XSchema } from 'typebox/schema'
import type { Issue } from '../errors.ts'

/** Issues listed in one answer; more would only help an attacker to enlarge it. */
const MAX_ISSUES = 20

export interface CompiledSchema {
  check(value: unknown): boolean
  /** Every bad field (at most 20) with its RFC 6901 pointer; empty when the value is valid. */
  issues(value: unknown): Issue[]
}

const compiled = new WeakMap<object, CompiledSchema>()

/** The compiled form of `schema`, made on first use. Throws for a schema that cannot compile. */
export function compileSchema(schema: object): CompiledSchema {
  const known = compiled.get(schema)
  if (known) return known
  const validator = Schema.Compile(schema as XSchema)
  const made: CompiledSchema = {
    check: (value) => validator.Check(value),
    issues: (value) => listIssues(validator, value),
  }
  compiled.set(schema, made)
  return made
}

function listIssues(validator: Validator, value: unknown): Issue[] {
  const [valid, errors] = validator.Errors(value)
  if (valid) return []
  const issues: Issue[] = []
  for (const { keyword, instancePath, message, params } of errors) {
    if (keyword === 'required') {
      const { requiredProperties } = params as { requiredProperties: string[] }
      for (const name of requiredProperties) {
        issues.push({ path: `${instancePath}/${escapePointer(name)}`, message: 'is required' })
      }
    } else if (keyword === 'boolean') {
      issues.push({ path: instancePath, message: 'is not a known member' })
    } else if (keyword === 'enum') {
      const { allowedValues } = params as { allowedValues: unknown[] }
      const shown = allowedValues.map((allowed) => JSON.stringify(allowed)).join(', ')
      issues.push({ path: instancePath, message: `must be one of ${shown}` })
    } else if (keyword !== 'additionalProperties') {
      // 'additionalProperties' repeats what the 'boolean' errors said member by member.
      issues.push({ path: instancePath, message })
    }
  }
  return issues.slice(0, MAX_ISSUES)
}

/** One RFC 6901 reference token. */
export function escapePointer(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1')
}
