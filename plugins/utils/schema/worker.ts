/** The document-pool side of utils.schema: pure functions of JSON. */
import type { JobHandlers } from '#kernel'
import type { DraftDialect, JsonSchema } from './draft/dialects.ts'
import { draftSchema } from './draft/draft.ts'
import { typescriptOf } from './typescript.ts'
import { validate, type Validation } from './validate.ts'

export interface SchemaJob {
  /** Absent: nothing is drafted. */
  samples?: unknown[]
  /** The dialect of the draft; default 2020-12. */
  dialect?: DraftDialect
  /** TypeScript of the drafted schema, or else of the given one, is asked for. */
  types?: boolean
  /** Absent: nothing is validated. `schema` absent: the drafted one is used. */
  validation?: {
    schema?: unknown
    instance: unknown
    assertFormat?: boolean
    schemas?: Record<string, unknown>
  }
}
export interface SchemaJobResult {
  schema?: JsonSchema
  validation?: Validation
  types?: string
}

function runSchemaJob(job: SchemaJob): SchemaJobResult {
  const result: SchemaJobResult = {}
  if (job.samples) result.schema = draftSchema(job.samples, job.dialect)
  if (job.validation) {
    const { instance, assertFormat, schemas } = job.validation
    const schema = 'schema' in job.validation ? job.validation.schema : result.schema
    result.validation = validate(schema, instance, { assertFormat, schemas })
  }
  if (job.types) result.types = typescriptOf(result.schema ?? job.validation?.schema)
  return result
}

/** Of the JSON text of a job: a large text is sent to a process much faster than its values. */
export default { run: (text: string) => runSchemaJob(JSON.parse(text)) } satisfies JobHandlers
