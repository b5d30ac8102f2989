/**
 * Writes log lines to a descriptor without waiting for the reader. If it stops reading, or its disk
 * is full, lines that do not fit the buffer are dropped and counted; the gateway's memory and exit
 * are not affected.
 */
import { write, writeSync } from 'node:fs'

/** Short texts wait for more up to this length, or for `flush`. */
const GATHERED_CHARACTERS = 4096
/** Text that waits while the reader takes nothing; lines beyond it are dropped and counted. */
const WAITING_CHARACTERS = 16 * 1024 * 1024
const RETRY_MS = 50
/** The reader of a pipe or socket is gone, or the descriptor was closed: no later write succeeds. */
const GONE: ReadonlySet<string> = new Set(['EPIPE', 'ECONNRESET', 'EBADF'])

export class LogOutput {
  readonly #fd: number
  readonly #maxWaiting: number
  #waiting = ''
  /** Lines that were dropped since the last one that was taken. */
  #dropped = 0
  #lost = 0
  /** What is being written, from its first byte that was not taken yet. */
  #writing: Uint8Array | null = null
  /** The reader is gone for good. */
  #isBroken = false
  #onIdle: (() => void)[] = []

  constructor(fd: number, maxWaiting = WAITING_CHARACTERS) {
    this.#fd = fd
    this.#maxWaiting = maxWaiting
  }

  /** Lines that nobody will read, since the start. */
  get lost(): number {
    return this.#lost
  }

  /** Takes whole lines; they are written soon, or at the next `flush`. */
  write(text: string): void {
    if (this.#isBroken || this.#waiting.length + text.length > this.#maxWaiting) {
      const lines = linesOf(text)
      this.#dropped += lines
      this.#lost += lines
      return
    }
    this.#waiting += text
    if (this.#waiting.length >= GATHERED_CHARACTERS) this.#begin()
  }

  /** Begins to write what waits. */
  flush(): void {
    this.#begin()
  }

  /** Resolves when everything is written, the reader is gone, or `timeoutMs` has passed. */
  async drained(timeoutMs: number): Promise<void> {
    this.#begin()
    if (this.#writing === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    await new Promise<void>((resolve) => {
      this.#onIdle.push(resolve)
      timer = setTimeout(resolve, timeoutMs)
    })
    clearTimeout(timer)
  }

  /** At the exit of the process: writes what waits, unless the reader takes nothing. */
  flushSync(): void {
    if (this.#writing !== null || this.#isBroken) return
    let rest = this.#takeWaiting()
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#fd, rest))
    } catch {
      // Nobody is left to be told.
    }
  }

  #begin(): void {
    if (this.#writing !== null || this.#isBroken) return
    const next = this.#takeWaiting()
    if (next.length === 0) return
    this.#writing = next
    this.#step(next)
  }

  #step(rest: Uint8Array): void {
    write(this.#fd, rest, (error, written) => {
      if (error && !GONE.has(error.code ?? '')) {
        // A full pipe takes more once it is read, and a file once its disk has room.
        this.#writing = rest
        setTimeout(() => this.#step(rest), RETRY_MS).unref()
        return
      }
      const left = error ? null : rest.subarray(written)
      if (left !== null && left.length > 0) {
        this.#writing = left
        return this.#step(left)
      }
      this.#writing = null
      if (error) this.#break(rest)
      else if (this.#waiting.length >= GATHERED_CHARACTERS || this.#onIdle.length > 0) this.#begin()
      if (this.#writing === null) for (const resolve of this.#onIdle.splice(0)) resolve()
    })
  }

  #break(unwritten: Uint8Array): void {
    this.#isBroken = true
    this.#lost += linesOf(Buffer.from(unwritten).toString()) + linesOf(this.#waiting)
    this.#waiting = ''
  }

  #takeWaiting(): Uint8Array {
    const text = this.#waiting + this.#lossLine()
    this.#waiting = ''
    this.#dropped = 0
    return Buffer.from(text)
  }

  #lossLine(): string {
    if (this.#dropped === 0) return ''
    const time = new Date().toISOString()
    const msg = 'log lines were dropped: their reader took nothing'
    return `${JSON.stringify({ level: 'warn', time, dropped: this.#dropped, msg })}\n`
  }
}

function linesOf(text: string): number {
  return text.split('\n').length - 1
}
