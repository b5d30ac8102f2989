/** The document-pool side of utils.schema: pure functions of JSON. */
import type { JobHandlers } from '#kernel'
import { draftSchema, type JsonSchema } from './draft/draft.ts'
import { validate, type Validation } from './validate.ts'

export interface SchemaJob {
  /** Absent: nothing is drafted. */
  samples?: unknown[]
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
}

function runSchemaJob(job: SchemaJob): SchemaJobResult {
  const result: SchemaJobResult = {}
  if (job.samples) result.schema = draftSchema(job.samples)
  if (job.validation) {
    const { instance, assertFormat, schemas } = job.validation
    const schema = 'schema' in job.validation ? job.validation.schema : result.schema
    result.validation = validate(schema, instance, { assertFormat, schemas })
  }
  return result
}

/** Of the JSON text of a job: a large text is sent to a process much faster than its values. */
export default { run: (text: string) => runSchemaJob(JSON.parse(text)) } satisfies JobHandlers
