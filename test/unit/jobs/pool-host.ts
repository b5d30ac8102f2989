/** A process that owns a pool with one idle and one stuck child, to be killed by the test. */
import { createDocumentPool } from '../../../host/document-jobs/index.ts'

const module = { url: new URL('../../integration/jobs/handlers.ts', import.meta.url).href }
const log = { debug() {}, info() {}, warn() {}, error() {} }
const pool = createDocumentPool({ size: 2, log })
const asked = await Promise.all(
  [1, 2].map(() => pool.run<number>(module, 'sleepAndTell', 100, { timeoutMs: 20_000 })),
)
void pool.run(module, 'spin', null, { timeoutMs: 600_000 })
console.log(JSON.stringify(asked.map((outcome) => outcome.ok && outcome.value)))
