/** The document-pool side of utils.diff. */
import type { JobHandlers } from '#kernel'
import { compareDocuments } from './compare.ts'

export default { run: compareDocuments } satisfies JobHandlers
