/** A result while it is filled: each value goes in with the confidence in it. */
import type { DocumentText } from '../../model/document.ts'
import type { ParseResult } from '../../schema.ts'

export class Draft {
  readonly result: ParseResult
  /** Confidence by field, 0..1 in hundredths. */
  readonly confidences: Record<string, number> = {}
  readonly #legibility: number

  constructor(result: ParseResult, document: DocumentText) {
    this.result = result
    this.#legibility = legibilityFactor(document)
  }

  /** Says that `field` of the result was set, and how sure that is. */
  trust(field: string, confidence: number): void {
    const share = Math.max(0, Math.min(1, confidence * this.#legibility))
    this.confidences[field] = Math.round(share * 100) / 100
  }

  /** Says that `field` is at least that sure. */
  raise(field: string, confidence: number): void {
    const before = this.confidences[field] ?? 0
    this.trust(field, confidence)
    this.confidences[field] = Math.max(before, this.confidences[field] ?? 0)
  }

  /** Says that `field`, where it was set, is at most that sure. */
  doubt(field: string, most: number): void {
    const before = this.confidences[field]
    if (before !== undefined) this.confidences[field] = Math.min(before, most)
  }

  warn(warning: string): void {
    this.result.warnings.push(warning)
  }
}

/** OCR's own doubt lowers ours: at 60 % legibility a value is worth about nine tenths. */
function legibilityFactor(document: DocumentText): number {
  return document.source === 'ocr' ? Math.min(1, 0.75 + 0.28 * document.legibility) : 1
}
