/** Job module of the document pool: one document in, the result or an expected refusal out. */
import type { JobHandlers } from '#kernel'
import { type ReadJob, readDocument } from './pipeline.ts'

export default {
  parse: (input: ReadJob, report) => readDocument(input, report),
} satisfies JobHandlers
