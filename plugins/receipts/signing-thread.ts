/**
 * A thread that signs what a turn of the gateway's loop has to sign. It starts with the first such
 * batch, so a gateway that has little to do has none. A thread that ends or hangs costs nobody a
 * receipt: the caller signs for itself what it is not signed here.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Logger } from '#kernel'

/** A batch takes about a millisecond. Callers leave out a receipt that is not there after 250. */
const PATIENCE_MS = 100
/** After a failure no other thread starts for so long. */
const REST_MS = 60_000

/**
 * A receipt takes some 8 µs less of the main thread this way, and as many more of all cores together.
 * That is a loss where a gateway and its database share two cores.
 */
const FEWEST_CORES = 3

const WORKER = new URL('./signing-worker.ts', import.meta.url)

interface Batch {
  resolve(signatures: readonly string[]): void
  reject(error: Error): void
  timer: ReturnType<typeof setTimeout>
}

export interface SigningThreadOptions {
  /** Of the Ed25519 key, 32 bytes. */
  seed: Uint8Array
  log: Pick<Logger, 'warn'>
  /** What the thread runs. Default: signing-worker.ts. */
  worker?: URL
}

/** A thread for the key of `seed`; null if the machine has no core to spare for it. */
export function threadFor(
  { seed, log }: Omit<SigningThreadOptions, 'worker'>,
  cores = availableParallelism(),
): SigningThread | null {
  return cores < FEWEST_CORES ? null : new SigningThread({ seed, log })
}

export class SigningThread {
  readonly #options: SigningThreadOptions
  #worker: Worker | null = null
  #isReady = false
  #isClosed = false
  #restsUntilMs = 0
  /** In the order in which the thread answers them. */
  #underWay: Batch[] = []

  constructor(options: SigningThreadOptions) {
    this.#options = options
  }

  /**
   * The signatures of `texts` (base64url) in their order; rejects if the thread fails. Null where
   * there is no thread yet, or none any more.
   */
  sign(texts: readonly string[]): Promise<readonly string[]> | null {
    const worker = this.#worker
    if (worker === null || !this.#isReady) {
      if (worker === null) this.#start()
      return null
    }
    return new Promise((resolve, reject) => {
      const late = (): void => this.#fail(new Error(`no signatures within ${PATIENCE_MS} ms`))
      this.#underWay.push({ resolve, reject, timer: setTimeout(late, PATIENCE_MS) })
      worker.postMessage(texts, [])
    })
  }

  /** Ends the thread; what it has not signed is rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#end(new Error('the thread that signs receipts is closed'))
  }

  #start(): void {
    if (this.#isClosed || performance.now() < this.#restsUntilMs) return
    const { seed, worker: url = WORKER } = this.#options
    const worker = new Worker(url, { workerData: seed })
    this.#worker = worker
    // The gateway ends whether or not this thread does.
    worker.unref()
    const failed = (error: Error): void => {
      if (this.#worker === worker) this.#fail(error)
    }
    worker.on('error', failed)
    worker.on('exit', (code) => failed(new Error(`the thread ended with code ${code}`)))
    worker.on('message', (message: 'ready' | readonly string[]) => {
      if (this.#worker !== worker) return
      if (message === 'ready') {
        this.#isReady = true
        return
      }
      const batch = this.#underWay.shift()
      if (!batch) return
      clearTimeout(batch.timer)
      batch.resolve(message)
    })
  }

  #fail(error: Error): void {
    this.#restsUntilMs = performance.now() + REST_MS
    this.#options.log.warn({ err: error }, 'receipts are signed by the main thread for a minute')
    void this.#end(error)
  }

  async #end(error: Error): Promise<void> {
    const [worker, batches] = [this.#worker, this.#underWay]
    this.#worker = null
    this.#isReady = false
    this.#underWay = []
    for (const { reject, timer } of batches) {
      clearTimeout(timer)
      reject(error)
    }
    await worker?.terminate()
  }
}
