/** The document-pool side of utils.pdf_extract. */
import type { JobHandlers } from '#kernel'
import { extractPdf } from './extract.ts'

export default { run: extractPdf } satisfies JobHandlers
