/**
 * JSON Schema checks of inputs, outputs and route bodies, compiled once per schema object. The
 * schemas are the operator's and plugin authors', never a caller's.
 */
import Schema, { type XSchema } from 'typebox/schema'
import type { Issue } from '../errors.ts'
import { issuesOf } from './issues.ts'

export interface CompiledSchema {
  check(value: unknown): boolean
  /**
   * Every bad field (at most 20) with its RFC 6901 pointer; empty when the value is valid. A large
   * value costs little more than its check, however much is wrong with it.
   */
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
    issues: (value) => issuesOf(validator, value),
  }
  compiled.set(schema, made)
  return made
}
