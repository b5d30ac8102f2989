/** What a caller asks of a PDF. */
import type { Extra } from './extras.ts'
import type { OcrMode } from './ocr-modes.ts'

export interface PdfOrder {
  bytes: Uint8Array
  includeTables: boolean
  maxPages: number
  /** Page numbers asked for, ascending; absent: from the first. */
  pages?: number[]
  password?: string
  include?: readonly Extra[]
  /** Which pages are recognised as they are drawn (OCR). Default: none. */
  ocr?: OcrMode
  /** After how long it recognises no more, from its start. Default: never. */
  ocrMs?: number
  /** What telling scans from slides may take in all. Default: no limit. */
  lookingMs?: number
}
