/** Scores a set of others' layouts whose parts are drawn apart, so that one of them can stay sealed. */
import { pagesOf } from '../../support/docintel-fixtures/fresh/kept.ts'
import type { Part } from '../../support/docintel-fixtures/others/parts.ts'
import { scoreParts, type PartedDocument } from './score-parts.ts'
import { scoreOptions } from './score-set.ts'

interface Made<Document> {
  documents: Document[]
  sha256: string
}

/** Reads the command line, and scores the part asked for: the open one unless told otherwise. */
export async function scoreLayouts<Document extends PartedDocument>(set: {
  name: string
  make(folder: string, part: Part): Made<Document> | Promise<Made<Document>>
  frozenSha256: Readonly<Record<Part, string>>
  partOf(document: Document): Part
  drawer(folder: string): {
    bytesOf(document: Document): Promise<Uint8Array>
    close(): Promise<void>
  }
}): Promise<void> {
  const options = scoreOptions()
  const part = options.part === 'sealed' ? 'sealed' : 'open'
  const { documents, sha256 } = await set.make(options.folder, part)
  const drawer = set.drawer(options.folder)
  // A photo shows the first page alone, so documents of several pages are not photographed.
  const asked: Document[] = []
  for (const document of documents)
    if (!options.photos || (await pagesOf(await drawer.bytesOf(document))) === 1)
      asked.push(document)
  await scoreParts(
    {
      name: set.name,
      documents: asked,
      sha256,
      frozenSha256: set.frozenSha256[part],
      partOf: set.partOf,
      drawer,
    },
    { ...options, part },
  )
}
