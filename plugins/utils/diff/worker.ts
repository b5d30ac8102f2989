/** The document-pool side of utils.diff. */
import type { JobHandlers } from '#kernel'
import { compareDocuments } from './compare.ts'

/** Of the JSON text of an order: a large text is sent to a process much faster than its values. */
export default { run: (text: string) => compareDocuments(JSON.parse(text)) } satisfies JobHandlers
