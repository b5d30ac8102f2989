/** Comma-separated values (RFC 4180). */
import type { Logger } from '#kernel'

export type Cell = string | number | Date | null
type Row = readonly Cell[]

/**
 * Rows under their headings, as a file that the browser keeps. They are read page by page, as fast as
 * the reader takes them; if a page fails, the connection is cut, so that no file looks whole and is not.
 */
export async function csvResponse(
  log: Pick<Logger, 'error'>,
  name: string,
  headings: Row,
  pages: AsyncIterable<readonly Row[]>,
): Promise<Response> {
  const reading = pages[Symbol.asyncIterator]()
  // Before the answer begins: what fails here is answered as any failure is.
  let page = await reading.next()
  const encoder = new TextEncoder()
  const enqueue = (to: ReadableStreamDefaultController, rows: readonly Row[]): void =>
    to.enqueue(encoder.encode(rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')))
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => enqueue(controller, [headings]),
    async pull(controller) {
      if (page.done) return controller.close()
      enqueue(controller, page.value)
      try {
        page = await reading.next()
      } catch (error) {
        // Nothing is amiss where its reader has gone.
        if ((error as Error).name !== 'AbortError')
          log.error({ err: error, name }, 'a file was cut')
        throw error
      }
    },
    async cancel() {
      await reading.return?.()
    },
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
      'x-content-type-options': 'nosniff',
    },
  })
}

/** Spreadsheets run a text that begins like a formula: an apostrophe keeps it a text. */
function cell(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = value instanceof Date ? value.toISOString() : value
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
