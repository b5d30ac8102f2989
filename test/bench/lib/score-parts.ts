/** Scores a set of others' invoices of which one part is open to those who write rules. */
import type { SaleTruth } from '../../support/docintel-fixtures/others/sale.ts'
import { scoreSet, type ScoreOptions } from './score-set.ts'

export interface PartedDocument {
  name: string
  maker: string
  language: string
  truth: SaleTruth
  absent: readonly string[]
  kind?: string
  currency?: string
}

/** Draws and scores the part asked for; faults are shown of the open part alone. */
export async function scoreParts<Document extends PartedDocument>(
  set: {
    name: string
    documents: readonly Document[]
    sha256: string
    /** Of the documents with their truth as they were frozen; another number is another set. */
    frozenSha256: string
    partOf(document: Document): 'open' | 'sealed'
    drawer: { bytesOf(document: Document): Promise<Uint8Array>; close(): Promise<void> }
  },
  options: ScoreOptions,
): Promise<void> {
  const { documents, drawer } = set
  console.log(`${documents.length} documents, sha256 ${set.sha256}`)
  if (set.sha256 !== set.frozenSha256) console.warn('This is not the frozen set.')
  await scoreSet(
    documents
      .filter((document) => !options.part || set.partOf(document) === options.part)
      .map((document) => ({
        ...document,
        mayShow: set.partOf(document) === 'open',
        pdf: () => drawer.bytesOf(document),
        absentInPhoto: [],
      })),
    options.part ?? set.name,
    options,
  )
  await drawer.close()
}
