/** Scores a set of others' layouts whose parts are drawn apart, so that one of them can stay sealed. */
import { pagesOf } from '../../support/docintel-fixtures/fresh/kept.ts'
import type { Part } from '../../support/docintel-fixtures/others/parts.ts'
import { scoreParts, type PartedDocument } from './score-parts.ts'
import { scoreOptions } from './score-set.ts'

interface Made<Document> {
  documents: Document[]
  sha256: string
}

interface Drawer<Document> {
  bytesOf(document: Document): Promise<Uint8Array>
  close(): Promise<void>
}

/** A photo shows the first page alone, so documents of several pages are not photographed. */
async function ofOnePage<Document>(
  documents: readonly Document[],
  drawer: Drawer<Document>,
): Promise<Document[]> {
  const kept: Document[] = []
  for (const document of documents)
    if ((await pagesOf(await drawer.bytesOf(document))) === 1) kept.push(document)
  return kept
}

/** Reads the command line, and scores the part asked for: the open one unless told otherwise. */
export async function scoreLayouts<Document extends PartedDocument>(set: {
  name: string
  make(folder: string, part: Part): Made<Document> | Promise<Made<Document>>
  frozenSha256: Readonly<Record<Part, string>>
  partOf(document: Document): Part
  drawer(folder: string): Drawer<Document>
}): Promise<void> {
  const options = scoreOptions()
  const part = options.part === 'sealed' ? 'sealed' : 'open'
  const { documents, sha256 } = await set.make(options.folder, part)
  const drawer = set.drawer(options.folder)
  await scoreParts(
    {
      name: set.name,
      documents: options.photos ? await ofOnePage(documents, drawer) : documents,
      sha256,
      frozenSha256: set.frozenSha256[part],
      partOf: set.partOf,
      drawer,
    },
    { ...options, part },
  )
}

/**
 * Scores a set that is sealed as a whole. It prints the shares of all documents together and no more, so
 * that nobody learns which layout fails.
 */
export async function scoreSealed<Document extends PartedDocument>(set: {
  name: string
  make(folder: string): Promise<Made<Document>>
  frozenSha256: string
  drawer(folder: string): Drawer<Document>
}): Promise<void> {
  const { folder, photos } = scoreOptions()
  const { documents, sha256 } = await set.make(folder)
  const drawer = set.drawer(folder)
  await scoreParts(
    {
      name: set.name,
      documents: photos ? await ofOnePage(documents, drawer) : documents,
      sha256,
      frozenSha256: set.frozenSha256,
      partOf: () => 'sealed',
      drawer,
    },
    {
      folder,
      photos,
      part: 'sealed',
      by: 'all',
      every: 1,
      faults: undefined,
      only: undefined,
      text: false,
    },
  )
}
