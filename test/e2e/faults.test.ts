/**
 * `npm run chaos:faults` in its short form: fixed seeds, seconds of each fault, two at once because
 * most of their time is waiting. Those that do nothing to a server share one with those of their lane.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withDatabase } from '../../host/embedded-postgres/connection-text.ts'
import { createClient } from '../../host/database/client.ts'
import { benchDatabase, type BenchDatabase } from '../bench/lib/database.ts'
import { SCENARIOS } from '../chaos/faults/scenarios.ts'
import { SHORT } from '../chaos/faults/sizes.ts'
import { skipPart } from '../support/skips.ts'

/** Left to the long form: the children of one gateway alone, other payers of killed gateways, primaries that are killed, full disks, clocks, facilitators that hang. */
const SEEDS = {
  reorganisations: 1,
  'patroni-switchover': 1,
  'chain-node': 1,
  facilitators: 1,
  channels: 1,
  upfront: 1,
  'customers-of-three': 1,
  'children-of-three': 1,
  destinations: 1,
}
const LANES = 2
const TIMEOUT_MS = 600_000

/** One for each lane, and not that of the other tests: three gateways need most of its connections. */
let servers: BenchDatabase[] = []
const turns: Promise<unknown>[] = Array.from({ length: LANES }, () => Promise.resolve())

beforeAll(async () => {
  servers = await Promise.all(Array.from({ length: LANES }, benchDatabase))
})
afterAll(() => Promise.all(servers.map((server) => server.close())))

Object.entries(SEEDS).forEach(([name, seed], at) => {
  const scenario = SCENARIOS[name]!
  const missing = scenario.missing()
  const isSkipped = missing !== null && skipPart(`fault ${name}`, missing)
  const run = async (): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), 'coinop-faults-'))
    chmodSync(folder, 0o755)
    try {
      const databaseUrl = scenario.isOverAny
        ? await newDatabase(servers[at % LANES]!, `faults_${at}`)
        : null
      const { wrong, duringAndAfter } = await scenario.run({
        databaseUrl,
        folder,
        seed,
        size: SHORT,
      })
      expect(wrong).toEqual([])
      expect(duringAndAfter).toBeGreaterThan(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  test.skipIf(isSkipped).concurrent(
    name,
    async () => {
      const turn = turns[at % LANES]!.then(run)
      turns[at % LANES] = turn.catch(() => {})
      await turn
    },
    TIMEOUT_MS,
  )
})

async function newDatabase(server: BenchDatabase, name: string): Promise<string> {
  const admin = createClient(server.db.url, { max: 1, applicationName: 'faults' })
  await admin.unsafe(`CREATE DATABASE ${name}`).finally(() => admin.end({ timeout: 1 }))
  return withDatabase(server.db.url, name)
}
