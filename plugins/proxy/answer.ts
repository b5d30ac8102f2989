/** An answer whose body is in memory, streams, or does not exist. */
export interface Answer {
  ok: true
  status: number
  rawHeaders: readonly string[]
  body: Uint8Array | ReadableStream<Uint8Array> | null
}
