/**
 * The pipe to a browser, with a limit on what the browser may tell unasked. A page decides how long the
 * events about it are (what it logs, throws, posts and names), and a library that buffers each of them
 * whole would hold as much as the page likes, in the gateway's own memory.
 */
import type { Readable, Writable } from 'node:stream'
import type { ConnectionTransport } from 'puppeteer-core'

/** Longest event that is passed on. An address of a page has at most 2 MiB. */
const EVENT_BYTES_MAX = 4 * 1024 * 1024
/** Longest answer to a question of ours: a picture in base64, a document. */
const ANSWER_BYTES_MAX = 256 * 1024 * 1024
const SEPARATOR = 0
/** Answers begin with the number of their question; everything else is an event. */
const ANSWER = /^\{"id":(\d+)[,}]/
const HEAD_BYTES = 32

export interface PipeLimits {
  eventBytesMax: number
  answerBytesMax: number
}

/** Messages of the DevTools protocol over two pipes, each ended by a zero byte. */
export class CdpPipe implements ConnectionTransport {
  onmessage?: (message: string) => void
  onclose?: () => void
  readonly #output: Writable
  readonly #limits: PipeLimits
  #parts: Buffer[] = []
  #sizeBytes = 0
  /** The rest of the message under way is left out. */
  #isSkipping = false
  #isClosed = false

  constructor(
    input: Readable,
    output: Writable,
    limits: PipeLimits = { eventBytesMax: EVENT_BYTES_MAX, answerBytesMax: ANSWER_BYTES_MAX },
  ) {
    this.#output = output
    this.#limits = limits
    input.on('data', (chunk: Buffer) => this.#take(chunk))
    input.on('error', () => this.#end())
    input.on('end', () => this.#end())
    input.on('close', () => this.#end())
    // A browser that is gone ends the input as well.
    output.on('error', () => undefined)
  }

  send(message: string): void {
    if (this.#isClosed) return
    this.#output.write(message)
    this.#output.write('\0')
  }

  close(): void {
    this.#isClosed = true
    this.#output.end()
  }

  #end(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#parts = []
    this.onclose?.()
  }

  #take(chunk: Buffer): void {
    let start = 0
    for (;;) {
      const end = chunk.indexOf(SEPARATOR, start)
      this.#collect(chunk.subarray(start, end < 0 ? chunk.length : end))
      if (end < 0) return
      this.#finish()
      start = end + 1
    }
  }

  #collect(part: Buffer): void {
    if (this.#isSkipping || part.length === 0) return
    this.#parts.push(part)
    this.#sizeBytes += part.length
    if (this.#sizeBytes <= this.#limits.eventBytesMax) return
    const id = this.#answerId()
    const limit = id === null ? this.#limits.eventBytesMax : this.#limits.answerBytesMax
    if (this.#sizeBytes <= limit) return
    this.#isSkipping = true
    this.#parts = []
    // Whoever asked learns that there is no answer.
    if (id !== null) this.#deliver(`{"id":${id},"error":{"code":-32000,"message":"Too long"}}`)
  }

  /** The number of the question that the message under way answers; null for an event. */
  #answerId(): string | null {
    const head = Buffer.concat(
      this.#parts.slice(0, HEAD_BYTES),
      Math.min(HEAD_BYTES, this.#sizeBytes),
    )
    return ANSWER.exec(head.toString('latin1'))?.[1] ?? null
  }

  #finish(): void {
    const [isSkipped, parts] = [this.#isSkipping, this.#parts]
    this.#isSkipping = false
    this.#parts = []
    const sizeBytes = this.#sizeBytes
    this.#sizeBytes = 0
    if (isSkipped || sizeBytes === 0) return
    this.#deliver((parts.length === 1 ? parts[0]! : Buffer.concat(parts, sizeBytes)).toString())
  }

  /** One message a turn, so that a browser that tells much leaves room for everybody else. */
  #deliver(message: string): void {
    setImmediate(() => {
      if (!this.#isClosed) this.onmessage?.(message)
    })
  }
}
