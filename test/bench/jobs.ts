/** Cost of a trip through the document pool, beside a bare function call and a file for the bytes. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDocumentPool } from '../../host/document-jobs/index.ts'

const module = { url: new URL('../integration/jobs/handlers.ts', import.meta.url).href }
const limits: number[] = []
const log = {
  debug() {},
  info() {},
  error() {},
  warn(fields: { residentMib?: number; limitMib?: number }) {
    if (fields.residentMib) limits.push(fields.residentMib - fields.limitMib!)
  },
}
const pool = createDocumentPool({ size: 2, log })
const options = { timeoutMs: 30_000 }

async function times(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = []
  for (let n = 0; n < count; n += 1) {
    const start = performance.now()
    await work()
    taken.push(performance.now() - start)
  }
  return taken.sort((a, b) => a - b)
}
const at = (taken: number[], share: number): string =>
  taken[Math.min(taken.length - 1, Math.floor(taken.length * share))]!.toFixed(2)
function print(name: string, taken: number[]): void {
  console.log(`${name.padEnd(44)} p50 ${at(taken, 0.5)} ms  p95 ${at(taken, 0.95)} ms`)
}

print('first job on a fresh child', await times(1, () => pool.run(module, 'echo', 1, options)))
const small = { a: 1, b: 2 }
print('small job, warm', await times(500, () => pool.run(module, 'add', small, options)))
for (const mib of [1, 10]) {
  const bytes = new Uint8Array(mib << 20).fill(7)
  print(
    `${mib} MiB in, its size out`,
    await times(20, () => pool.run(module, 'size', bytes, options)),
  )
  print(`${mib} MiB in and out`, await times(20, () => pool.run(module, 'echo', bytes, options)))
}
const folder = await mkdtemp(join(tmpdir(), 'jobs-bench-'))
const file = join(folder, 'bytes')
const bytes = new Uint8Array(10 << 20).fill(7)
print(
  '10 MiB written to a file and read, no pool',
  await times(20, async () => {
    await writeFile(file, bytes)
    await readFile(file)
  }),
)
await rm(folder, { recursive: true })

const together = async (): Promise<unknown> =>
  Promise.all(Array.from({ length: 100 }, () => pool.run(module, 'add', small, options)))
print('100 small jobs at once, all of them', await times(20, together))

const tight = { timeoutMs: 30_000, memoryMib: 256 }
print('memory bomb until answered', await times(5, () => pool.run(module, 'eatMemory', 0, tight)))
print('string bomb until answered', await times(3, () => pool.run(module, 'eatStrings', 0, tight)))
console.log(`over the limit of 256 MiB when seen: ${limits.join(', ')} MiB`)
print(
  'endless loop past its 200 ms',
  (await times(5, () => pool.run(module, 'spin', 0, { timeoutMs: 200 }))).map((ms) => ms - 200),
)
await pool.stop(new Date())
