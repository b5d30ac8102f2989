/** Job modules of the pool's tests: well-behaved ones and every kind of bomb. */
import type { JobHandlers } from '../../../kernel/jobs/contract.ts'

const handlers: JobHandlers = {
  echo: (input: unknown) => input,
  add: ({ a, b }: { a: number; b: number }) => a + b,
  size: (bytes: Uint8Array) => bytes.length,
  reverse: (bytes: Uint8Array) => bytes.toReversed(),
  steps: async (count: number, report) => {
    for (let step = 1; step <= count; step += 1) {
      report({ step })
      await Bun.sleep(1)
    }
    return count
  },
  sleep: async (ms: number) => {
    await Bun.sleep(ms)
    return 'slept'
  },
  spin: () => {
    for (;;);
  },
  catastrophicPattern: () => /^(a+)+$/.test(`${'a'.repeat(64)}!`),
  eatMemory: () => {
    const hoard: Uint8Array[] = []
    for (;;) hoard.push(new Uint8Array(8 << 20).fill(1))
  },
  /** Touches nothing of it: what it takes counts as the system's limit counts, and costs no time. */
  reserveMemory: () => {
    const hoard: Uint8Array[] = []
    for (;;) hoard.push(new Uint8Array(8 << 20))
  },
  eatStrings: () => {
    const hoard: string[] = []
    for (let n = 0; ; n += 1) hoard.push(`${n}`.repeat(100_000).split('').toReversed().join(''))
  },
  exit: () => process.exit(3),
  killSelf: () => process.kill(process.pid, 'SIGSEGV'),
  throwError: () => {
    throw new Error('the handler is unhappy')
  },
  lateRejection: () => {
    setTimeout(() => void Promise.reject(new Error('late')), 1)
    return 'answered'
  },
  uncaught: async () => {
    setTimeout(() => {
      throw new Error('out of band')
    }, 1)
    await Bun.sleep(10_000)
  },
  uncloneable: () => () => 'a function',
  environment: () => ({ ...process.env }),
  whoAmI: () => ({ pid: process.pid, cwd: process.cwd() }),
  holdMemory: (mib: number) => {
    held.push(new Uint8Array(mib << 20).fill(1))
    return process.pid
  },
  /** Stays full where a job ran before. */
  fillUp: async (mib: number) => {
    held.push(new Uint8Array(mib << 20).fill(1))
    if (attempts++ > 0) await Bun.sleep(60_000)
    return process.pid
  },
  grandchild: async (_input: null, report) => {
    const child = Bun.spawn(['sleep', '600'])
    report(child.pid)
    await child.exited
  },
  reserve: (mib: number) => new Uint8Array(mib << 20).length,
  /** Finds no memory where a job ran before. */
  needFreshChild: () => {
    if (attempts++ > 0) throw Object.assign(new Error('No room'), { code: 'ENOMEM' })
    return process.pid
  },
  neverEnough: () => {
    throw new RangeError('Out of memory')
  },
  sleepAndTell: async (ms: number) => {
    await Bun.sleep(ms)
    return process.pid
  },
}
const held: Uint8Array[] = []
let attempts = 0

export default handlers
