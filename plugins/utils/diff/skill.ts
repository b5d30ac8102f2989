/** utils.diff: the breaking changes between two versions of an OpenAPI or JSON Schema document. */
import { type Static, Type } from 'typebox'
import {
  defineSkill,
  fail,
  type Failure,
  invalid,
  jsonText,
  type Skill,
  type SkillContext,
  PURE,
} from '#kernel'
import { jobFailure } from '#skillkit'
import { callTime } from '../../shared/call-time.ts'
import { REASONS } from '../reasons.ts'
import type { DiffOrder, DiffOutcome } from './compare.ts'
import type { InputProblem } from './parse.ts'

const MODULE = { url: new URL('./worker.ts', import.meta.url).href }
const TIMEOUT_MS = 40_000
const JOB_TIMEOUT_MS = 30_000
const BODY_BYTES = 24 * 1024 * 1024

const DOCUMENT = 'as an object, or as JSON or YAML text'
const LEVELS = ['breaking', 'warning', 'info']
const DOCUMENTS_MAX = 100
const Further = (description: string) =>
  Type.Optional(
    Type.Record(Type.String({ maxLength: 2000 }), Type.Unknown(), {
      maxProperties: DOCUMENTS_MAX,
      description,
    }),
  )
const Pattern = Type.String({ minLength: 1, maxLength: 1000 })
const Part = Type.Optional(Pattern)
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
    documents: Further('Documents that external $refs name, by that name, for both versions.'),
    before_documents: Further('The same, of before alone.'),
    after_documents: Further('The same, of after alone.'),
    severity: Type.Optional(
      Type.Record(Type.String(), Type.Enum([...LEVELS, 'none']), {
        maxProperties: 600,
        description: 'Levels by check id; none leaves it out.',
      }),
    ),
    ignore: Type.Optional(
      Type.Array(
        Type.Union([
          Pattern,
          Type.Object(
            { id: Part, operation: Part, location: Part },
            { additionalProperties: false, minProperties: 1 },
          ),
        ]),
        {
          maxItems: 500,
          description:
            'Changes to leave out: check ids, or rules whose fields must all fit; * is any text.',
        },
      ),
    ),
    fail_on: Type.Optional(
      Type.Enum(['error', 'warn'], {
        description: 'What makes breaking true. warn (default): warnings too.',
      }),
    ),
    changelog: Type.Optional(
      Type.Enum(['markdown', 'text'], { description: 'Adds the report as a text.' }),
    ),
  },
  { additionalProperties: false },
)
const Output = Type.Object({
  breaking: Type.Boolean({
    description: 'As fail_on says. A warning is a change that is not proved safe.',
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
        description:
          'JSON pointer into after, or into before for what was removed; name#pointer in a further document.',
      }),
      operation: Type.Optional(Type.String({ description: 'GET /pets/{id}' })),
      message: Type.String(),
      before: Type.Optional(Type.Unknown()),
      after: Type.Optional(Type.Unknown()),
    }),
  ),
  format: Type.Enum(['openapi', 'json-schema']),
  truncated: Type.Optional(Type.Boolean({ description: 'More changes than are listed.' })),
  ignored: Type.Optional(Type.Boolean({ description: 'Rules of the request left changes out.' })),
  warnings: Type.Optional(
    Type.Array(
      Type.Object({
        code: Type.String(),
        path: Type.String({ description: 'JSON pointer into the request.' }),
        message: Type.String(),
      }),
      { description: 'What was not compared: references that lead nowhere.' },
    ),
  ),
  changelog: Type.Optional(Type.String()),
})
type DiffInput = Static<typeof Input>

/** INVALID_INPUT, or UNSUPPORTED_FORMAT for documents that were read and are of another kind. */
function refused(problems: readonly InputProblem[]): Failure {
  const issues = problems.map(({ path, message }) => ({ path, message }))
  const foreign = problems.find(({ isForeign }) => isForeign)
  if (!foreign) return invalid(issues)
  const message = `${foreign.path.slice(1)} ${foreign.message}; OpenAPI 2 and 3 and JSON Schema are compared`
  return fail('UNSUPPORTED_FORMAT', message, {
    details: { reason: REASONS.document_kind, issues },
  })
}

async function run(ctx: SkillContext, input: DiffInput) {
  const order = { ...input, now: ctx.now().getTime() } as DiffOrder
  const job = await jsonText(order)
  const outcome = await ctx.jobs.run<DiffOutcome>(MODULE, 'run', job, {
    timeoutMs: callTime(ctx.timeoutMs, TIMEOUT_MS).limitMs(JOB_TIMEOUT_MS),
    memoryMib: 768,
    signal: ctx.signal,
  })
  if (!outcome.ok) return jobFailure(outcome, 'The comparison')
  if (!outcome.value.ok) return refused(outcome.value.problems)
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
      'Compares two versions of an OpenAPI (2.0 to 3.2) or JSON Schema document and reports every change with level, operation and JSON pointer. Knows directions: requests may widen, responses may narrow.',
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
