/**
 * utils.schema: validates an instance against a JSON Schema, drafts a schema from samples, or
 * both. The work runs in the document pool; this file reads the request and maps the outcome.
 */
import { Type, type Static } from 'typebox'
import {
  defineSkill,
  type Failure,
  invalid,
  type Issue,
  jsonText,
  type Skill,
  type SkillContext,
  PURE,
} from '#kernel'
import { jobFailure } from '#skillkit'
import { callTime } from '../../shared/call-time.ts'
import { join } from '../diff/pointer.ts'
import { DRAFT_DIALECTS, type DraftDialect } from './draft/dialects.ts'
import type { SchemaJob, SchemaJobResult } from './worker.ts'

const MODULE = { url: new URL('./worker.ts', import.meta.url).href }
const TIMEOUT_MS = 20_000
const JOB_TIMEOUT_MS = 10_000
const BODY_BYTES = 8 * 1024 * 1024
/** Most schema documents of one request beside the schema itself. */
const SCHEMAS_MAX = 200
/** Most samples of one request. */
const SAMPLES_MAX = 10_000

const Input = Type.Object(
  {
    mode: Type.Optional(
      Type.Enum(['validate', 'draft', 'both'], {
        description:
          'validate: instance against schema. draft: a schema from sample or samples. both: draft, and validate against schema, or without it against the draft. Default: draft without schema, else validate.',
      }),
    ),
    schema: Type.Optional(
      Type.Unknown({
        description:
          'Object or boolean; $schema names the dialect. A $ref to another document needs that document in schemas.',
      }),
    ),
    schemas: Type.Optional(
      Type.Record(Type.String({ maxLength: 2048 }), Type.Unknown(), {
        maxProperties: SCHEMAS_MAX,
        description: 'Documents that references of schema lead to, by absolute URI.',
      }),
    ),
    instance: Type.Optional(Type.Unknown()),
    sample: Type.Optional(
      Type.Unknown({
        description: 'One document, be it an array.',
      }),
    ),
    samples: Type.Optional(
      Type.Array(Type.Unknown(), {
        minItems: 1,
        maxItems: SAMPLES_MAX,
        description: 'Several documents; the draft accepts each.',
      }),
    ),
    draft: Type.Optional(Type.Boolean({ description: 'Legacy: true is mode draft.' })),
    assertFormat: Type.Optional(
      Type.Boolean({
        description:
          'Whether format rejects values. Default: yes up to draft-07, without $schema, and in mode both; an annotation for a stated 2019-09 or 2020-12, as those drafts define.',
      }),
    ),
    dialect: Type.Optional(
      Type.Enum([...DRAFT_DIALECTS], { description: 'Of the drafted schema. Default 2020-12.' }),
    ),
    types: Type.Optional(
      Type.Enum(['typescript'], {
        description: 'Adds TypeScript declarations of the drafted schema, or else of schema.',
      }),
    ),
  },
  { additionalProperties: false },
)
type SchemaInput = Static<typeof Input>

const Output = Type.Object({
  mode: Type.Enum(['validate', 'draft', 'both']),
  valid: Type.Optional(Type.Boolean()),
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        instancePath: Type.String({ description: 'JSON pointer into the instance.' }),
        schemaPath: Type.String({ description: 'JSON pointer (URI fragment) into the schema.' }),
        keyword: Type.String(),
        message: Type.String(),
      }),
    ),
  ),
  schema: Type.Optional(Type.Unknown({ description: 'The drafted schema.' })),
  types: Type.Optional(Type.String({ description: 'TypeScript declarations, Root first.' })),
})

type Mode = 'validate' | 'draft' | 'both'

/** The mode a request asks for, whether it says so or not. */
function modeOf(input: SchemaInput): Mode {
  if (input.mode) return input.mode as Mode
  if (input.draft) return 'schema' in input && 'instance' in input ? 'both' : 'draft'
  return 'schema' in input ? 'validate' : 'draft'
}

/** What is missing or wrong in the request before any work; empty when it can run. */
function problems(input: SchemaInput, mode: Mode): Issue[] {
  const issues: Issue[] = []
  const hasSample = 'sample' in input || 'samples' in input
  if (mode === 'validate') {
    if (!('schema' in input)) issues.push({ path: '/schema', message: 'is required to validate' })
    if (!('instance' in input))
      issues.push({ path: '/instance', message: 'is required to validate' })
  }
  if (mode === 'draft' && !hasSample) {
    issues.push({ path: '/sample', message: 'is required to draft a schema (or give samples)' })
  }
  if (mode === 'both' && !hasSample && !('instance' in input)) {
    issues.push({ path: '/sample', message: 'or instance is required' })
  }
  if ('schema' in input && !isSchema(input.schema)) {
    issues.push({ path: '/schema', message: 'must be an object or a boolean' })
  }
  return issues
}

function isSchema(value: unknown): boolean {
  return (
    typeof value === 'boolean' ||
    (typeof value === 'object' && value !== null && !Array.isArray(value))
  )
}

function jobOf(input: SchemaInput, mode: Mode): SchemaJob {
  const samples = input.samples ?? ('sample' in input ? [input.sample] : [input.instance])
  const instance = 'instance' in input ? input.instance : samples[0]
  const validation = {
    instance,
    // A draft states formats only where all samples have them, so they are meant.
    assertFormat: input.assertFormat ?? (mode === 'both' ? true : undefined),
    ...(input.schemas && { schemas: input.schemas }),
    ...('schema' in input && { schema: input.schema }),
  }
  const types = input.types !== undefined
  if (mode === 'validate') return { validation, types }
  const draft = { samples, types, ...(input.dialect && { dialect: input.dialect as DraftDialect }) }
  return mode === 'draft' ? draft : { ...draft, validation }
}

async function run(ctx: SkillContext, input: SchemaInput) {
  const mode = modeOf(input)
  const job = await jsonText(jobOf(input, mode))
  const outcome = await ctx.jobs.run<SchemaJobResult>(MODULE, 'run', job, {
    timeoutMs: callTime(ctx.timeoutMs, TIMEOUT_MS).limitMs(JOB_TIMEOUT_MS),
    signal: ctx.signal,
  })
  if (!outcome.ok) return jobFailure(outcome, 'The schema')
  const { schema, validation, types } = outcome.value
  if (validation && !validation.ok) {
    return invalid(
      validation.problems.map(({ path, document, message }) => ({
        path: document === undefined ? `/schema${path}` : join('/schemas', document) + path,
        message,
      })),
    )
  }
  return {
    ok: true as const,
    output: {
      mode,
      ...(validation && { valid: validation.valid, errors: validation.errors }),
      ...(schema && { schema }),
      ...(types !== undefined && { types }),
    },
  }
}

/** The skill utils.schema (tool transform.json_schema). */
export function schemaSkill(): Skill<unknown, typeof Input, typeof Output> {
  return defineSkill<typeof Input, typeof Output>({
    id: 'utils.schema',
    tools: [{ name: 'transform.json_schema' }],
    title: 'Validate against, or draft, a JSON Schema',
    description:
      'Validates a JSON value against a JSON Schema (draft-04 to 2020-12) with every error and its pointers, or drafts a schema from one or many samples. Patterns run in linear time and nothing is fetched.',
    input: Input,
    output: Output,
    annotations: PURE,
    example: {
      input: {
        mode: 'validate',
        schema: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
        instance: { id: 'seven' },
      },
      output: {
        mode: 'validate',
        valid: false,
        errors: [
          {
            instancePath: '/id',
            schemaPath: '#/properties/id/type',
            keyword: 'type',
            message: 'must be integer',
          },
        ],
      },
    },
    limits: { timeoutMs: TIMEOUT_MS, bodyBytes: BODY_BYTES },
    check(_ctx, input): Failure | void {
      const issues = problems(input, modeOf(input))
      if (issues.length > 0) return invalid(issues)
    },
    handler: run,
  })
}
