/** Request bodies under a limit that holds while they stream in, not after they were buffered. */
import { fail, type Failure } from '../errors.ts'

const EMPTY = new Uint8Array()
const MIB = 1_048_576
/** Shorter bodies are not counted: their limits and the number of connections bound them. */
const COUNTED_ABOVE_BYTES = MIB

/** How many bytes of long bodies may be in memory at once. */
export class BodyBudget {
  readonly #limitBytes: number
  #heldBytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  /** False, and nothing held, when there is no room for so many bytes more. */
  hold(bytes: number): boolean {
    if (this.#heldBytes + bytes > this.#limitBytes) return false
    this.#heldBytes += bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#heldBytes -= bytes
  }
}

/** Of this process, by who sends: strangers can never take the room of those who hold a key. */
export const BUDGETS = {
  stranger: new BodyBudget(256 * MIB),
  keyed: new BodyBudget(512 * MIB),
} as const

/** The body of one request; `done` says that nobody needs it any more. */
export class BodyReader {
  readonly #request: Request
  readonly #limitBytes: number
  readonly #budget: BodyBudget
  #heldBytes = 0
  #isDone = false

  constructor(request: Request, limitBytes: number, budget: BodyBudget) {
    this.#request = request
    this.#limitBytes = limitBytes
    this.#budget = budget
  }

  /**
   * The whole body; 413 INVALID_INPUT (400 on paid routes) once it is over the limit, RATE_LIMITED
   * while too many long bodies are in memory.
   */
  async read(): Promise<Uint8Array | Failure> {
    const request = this.#request
    const length = request.headers.get('content-length')
    const declared = length === null ? null : Number(length)
    if (declared !== null) {
      if (declared > this.#limitBytes) return tooLarge(this.#limitBytes)
      // The server never delivers more than Content-Length says; asking for `body` makes a stream.
      if (declared <= COUNTED_ABOVE_BYTES) return request.bytes()
    }
    if (!request.body) return EMPTY
    const chunks: Uint8Array[] = []
    let sizeBytes = 0
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      sizeBytes += chunk.byteLength
      if (sizeBytes > this.#limitBytes) return tooLarge(this.#limitBytes)
      if (!this.#holds(sizeBytes)) return tooMuch()
      chunks.push(chunk)
    }
    return chunks.length === 1 ? chunks[0]! : new Uint8Array(Buffer.concat(chunks))
  }

  /** Gives back what the body took of the budget; a read that is under way counts no more. */
  done(): void {
    this.#isDone = true
    this.#budget.giveBack(this.#heldBytes)
    this.#heldBytes = 0
  }

  #holds(sizeBytes: number): boolean {
    if (sizeBytes <= COUNTED_ABOVE_BYTES) return true
    const more = sizeBytes - this.#heldBytes
    if (this.#isDone || !this.#budget.hold(more)) return false
    this.#heldBytes = sizeBytes
    return true
  }
}

/** Whether a `read` refused. */
export function isRefused(body: Uint8Array | Failure): body is Failure {
  return !(body instanceof Uint8Array)
}

export function tooLarge(limitBytes: number): Failure {
  return fail('INVALID_INPUT', `The body is larger than ${limitBytes} bytes`, {
    status: 413,
    details: { limitBytes },
  })
}

function tooMuch(): Failure {
  return fail('RATE_LIMITED', 'Too many long bodies are under way; try again shortly', {
    details: { limit: 'body_memory' },
    headers: { 'retry-after': '1' },
  })
}
