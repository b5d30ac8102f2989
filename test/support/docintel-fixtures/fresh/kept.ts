/** Draws the documents of a set as PDF; each is drawn once and kept in the set's folder. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { pagePrinter, type PagePrinter } from './print.ts'

export interface KeptDrawer<Document> {
  bytesOf(document: Document): Promise<Uint8Array>
  close(): Promise<void>
}

/** `draw` gets a printer of HTML, which starts Chromium when it is first used. */
export function keptDrawer<Document extends { name: string }>(
  folder: string,
  set: string,
  draw: (document: Document, print: PagePrinter['print']) => Uint8Array | Promise<Uint8Array>,
): KeptDrawer<Document> {
  const kept = join(folder, set)
  mkdirSync(kept, { recursive: true })
  const { print, close } = pagePrinter()
  return {
    async bytesOf(document) {
      const path = join(kept, `${document.name.replaceAll(' ', '-')}.pdf`)
      if (!existsSync(path)) writeFileSync(path, await draw(document, print))
      return readFileSync(path)
    },
    close,
  }
}

/** How many pages a PDF has. */
export async function pagesOf(pdf: Uint8Array): Promise<number> {
  // PDF.js takes the bytes over.
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 })
  const { numPages } = await task.promise
  await task.destroy()
  return numPages
}
