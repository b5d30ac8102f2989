/** Receipts signed on another thread: what callers get, whatever becomes of the thread. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { JwsSigner, keyOf } from '../../../../plugins/receipts/signer.ts'
import { SigningThread, threadFor } from '../../../../plugins/receipts/signing-thread.ts'

const DID = 'did:web:api.example.com'
const seed = new Uint8Array(32).fill(7)
const key = keyOf(seed)
const payloads = Array.from({ length: 27 }, (_, n) => ({ amount: `${n}`, asset: 'USD' }))
const expected = payloads.map((payload) => new JwsSigner(DID, key).sign(payload))

// A machine with much to do must not use up the thread's patience.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

async function until(probe: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await probe())) await new Promise(setImmediate)
}

/** The code of a thread that says that it is ready, and answers each batch by `answer`. */
const workerOf = (answer: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { parentPort } from 'node:worker_threads'
       parentPort.on('message', (texts) => { ${answer} })
       parentPort.postMessage('ready')`,
    )}`,
  )

/** A signer with a thread, which runs what it does in a gateway if no worker is given. */
function signer(worker?: URL) {
  const warnings: object[] = []
  const log = { warn: (fields: object) => void warnings.push(fields) }
  const thread = new SigningThread({ seed, log, ...(worker && { worker }) })
  onTestFinished(() => thread.close())
  const asked = vi.spyOn(thread, 'sign')
  const jws = new JwsSigner(DID, key, thread)
  const signAll = (count = payloads.length) =>
    Promise.all(payloads.slice(0, count).map((payload) => jws.signTogether(payload)))
  /** Signs until the thread takes a batch, and returns what came of that one. */
  const signAside = async (): Promise<string[]> => {
    let signed: string[] = []
    await until(async () => {
      signed = await signAll()
      return asked.mock.results.at(-1)!.value !== null
    })
    return signed
  }
  return { thread, asked, warnings, signAll, signAside }
}

describe('receipts of one turn', () => {
  it('are those of this thread, byte for byte and in order, before and after the other starts', async () => {
    const { asked, warnings, signAll, signAside } = signer()
    expect(await signAll()).toEqual(expected)
    expect(asked.mock.results[0]!.value).toBeNull()
    expect(await signAside()).toEqual(expected)
    const three = await Promise.all([signAll(), signAll(5), signAll(9)])
    expect(three).toEqual([expected, expected.slice(0, 5), expected.slice(0, 9)])
    expect(warnings).toEqual([])
  })

  it('stay on this thread where the machine has two cores', async () => {
    const log = { warn: () => {} }
    expect(threadFor({ seed, log }, 2)).toBeNull()
    const other = threadFor({ seed, log }, 3)!
    onTestFinished(() => other.close())
    const jws = new JwsSigner(DID, key, other)
    await until(() => other.sign(['a']) !== null)
    const signed = await Promise.all(payloads.map((payload) => jws.signTogether(payload)))
    expect(signed).toEqual(expected)
  })

  it('start no thread if they are few', async () => {
    const { asked, signAll } = signer()
    expect(await signAll(3)).toEqual(expected.slice(0, 3))
    expect(asked).not.toHaveBeenCalled()
  })
})

describe('a thread that fails', () => {
  it.each([
    ['ends', workerOf('process.exit(3)')],
    ['throws', workerOf("throw new Error('broken')")],
  ])('and %s leaves its texts to this one, which signs alone for a minute', async (_, worker) => {
    const { asked, warnings, signAll, signAside } = signer(worker)
    expect(await signAside()).toEqual(expected)
    expect(warnings).toHaveLength(1)
    expect(await signAll()).toEqual(expected)
    expect(asked.mock.results.at(-1)!.value).toBeNull()
    vi.advanceTimersByTime(60_000)
    expect(await signAside()).toEqual(expected)
    expect(warnings).toHaveLength(2)
  })

  it('at its start is told once', async () => {
    const { warnings, signAll } = signer(new URL('data:text/javascript,throw new Error("no")'))
    await until(async () => {
      expect(await signAll()).toEqual(expected)
      return warnings.length > 0
    })
    expect(await signAll()).toEqual(expected)
    expect(warnings).toHaveLength(1)
  })

  it('and hangs is left after a while', async () => {
    const { thread, warnings } = signer(workerOf(''))
    let signing: Promise<readonly string[]> | null = null
    await until(() => (signing = thread.sign(['a'])) !== null)
    const failed = expect(signing).rejects.toThrow('no signatures within 100 ms')
    vi.advanceTimersByTime(100)
    await failed
    expect(warnings).toHaveLength(1)
    expect(thread.sign(['a'])).toBeNull()
  })
})

describe('the end', () => {
  it('of the thread leaves no receipt out, and starts no other one', async () => {
    const { thread, asked, signAll, signAside, warnings } = signer()
    await signAside()
    const last = signAll()
    // The batch goes out in a microtask, and so before this.
    await Promise.resolve()
    const closing = thread.close()
    expect(await last).toEqual(expected)
    await closing
    expect(await signAll()).toEqual(expected)
    expect(asked.mock.results.slice(-2).map(({ value }) => value === null)).toEqual([false, true])
    expect(warnings).toEqual([])
  })
})
