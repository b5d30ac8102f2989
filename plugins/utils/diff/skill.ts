/** utils.diff: the breaking changes between two versions of an OpenAPI or JSON Schema document. */
import { type Static, Type } from 'typebox'
import { defineSkill, invalid, jsonText, type Skill, type SkillContext, PURE } from '#kernel'
import { jobFailure } from '#skillkit'
import type { DiffOrder, DiffOutcome } from './compare.ts'

const MODULE = { url: new URL('./worker.ts', import.meta.url).href }
const TIMEOUT_MS = 40_000
const JOB_TIMEOUT_MS = 30_000
const BODY_BYTES = 24 * 1024 * 1024

const DOCUMENT = 'as an object, or as JSON or YAML text'
const Input = Type.Object(
  {
    before: Type.Unknown({ description: `The old version, ${DOCUMENT}.` }),
    after: Type.Unknown({ description: `The new version, ${DOCUMENT}.` }),
    format: Type.Optional(
      Type.Enum(['openapi', 'json-schema', 'auto'], { description: 'Default auto.' }),
    ),
    direction: Type.Optional(
      Type.Enum(['request', 'response', 'both'], {
        description:
          'request: what was accepted must stay accepted. response: nothing new may be sent. Default: both for OpenAPI, request for JSON Schema.',
      }),
    ),
  },
  { additionalProperties: false },
)
const LEVELS = ['breaking', 'warning', 'info']
const Output = Type.Object({
  breaking: Type.Boolean({
    description: 'True when a change is breaking, or a warning: not proved safe.',
  }),
  summary: Type.Object({
    breaking: Type.Integer(),
    warning: Type.Integer(),
    info: Type.Integer(),
  }),
  changes: Type.Array(
    Type.Object({
      id: Type.String({ description: "oasdiff's check id." }),
      level: Type.Enum(LEVELS),
      location: Type.String({
        description: 'JSON pointer into after, or into before for what was removed.',
      }),
      operation: Type.Optional(Type.String({ description: 'GET /pets/{id}' })),
      message: Type.String(),
      before: Type.Optional(Type.Unknown()),
      after: Type.Optional(Type.Unknown()),
    }),
  ),
  format: Type.Enum(['openapi', 'json-schema']),
  truncated: Type.Optional(Type.Boolean({ description: 'More changes than are listed.' })),
})
type DiffInput = Static<typeof Input>

async function run(ctx: SkillContext, input: DiffInput) {
  const order = { ...input, now: ctx.now().getTime() } as DiffOrder
  const job = await jsonText(order)
  const outcome = await ctx.jobs.run<DiffOutcome>(MODULE, 'run', job, {
    timeoutMs: JOB_TIMEOUT_MS,
    memoryMib: 768,
    signal: ctx.signal,
  })
  if (!outcome.ok) return jobFailure(outcome, 'The comparison')
  if (!outcome.value.ok) return invalid(outcome.value.problems)
  const { ok: _, ...output } = outcome.value
  return { ok: true as const, output }
}

/** The skill utils.diff (tool detect.schema_breaking_changes). */
export function diffSkill(): Skill<unknown, typeof Input, typeof Output> {
  return defineSkill<typeof Input, typeof Output>({
    id: 'utils.diff',
    tools: [{ name: 'detect.schema_breaking_changes' }],
    title: 'Breaking changes between two API descriptions',
    description:
      'Compares two versions of an OpenAPI (2.0, 3.0, 3.1) or JSON Schema document and reports every change with level, operation and JSON pointer. Knows directions: requests may widen, responses may narrow.',
    input: Input,
    output: Output,
    annotations: PURE,
    example: {
      input: {
        before: { type: 'object', properties: { age: { type: 'number' } } },
        after: { type: 'object', properties: { age: { type: 'integer' } } },
      },
      output: {
        breaking: true,
        summary: { breaking: 1, warning: 0, info: 0 },
        changes: [
          {
            id: 'request-property-type-changed',
            level: 'breaking',
            location: '/properties/age',
            message: 'the request property `age`: type changed from `number` to `integer`',
            before: 'number',
            after: 'integer',
          },
        ],
        format: 'json-schema',
      },
    },
    limits: { timeoutMs: TIMEOUT_MS, bodyBytes: BODY_BYTES },
    handler: run,
  })
}
