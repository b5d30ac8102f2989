/** Files of comma-separated values. */
import type { Logger } from '#kernel'
import { csvLine, type Cell } from '../shared/csv.ts'

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
    to.enqueue(encoder.encode(rows.map(csvLine).join('')))
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
