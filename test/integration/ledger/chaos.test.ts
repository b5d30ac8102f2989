/** The chaos run in its short form: a fixed seed, some seconds, the test server left alive. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runSeries } from '../../chaos/series.ts'
import { testDatabase } from '../../support/database.ts'

test('10 keys on one account, three instances, one killed: nothing crossed, nothing lost', async () => {
  const database = await testDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'chaos-'))
  try {
    const report = await runSeries({
      url: database.url,
      folder,
      keys: 10,
      callers: 24,
      seed: 15,
      goesOn: (ticks) => ticks < 40,
      killServer: null,
      every: { clock: 6, holds: 5, revocation: 8, instance: 25, verify: 39 },
    })
    expect(report).toMatchObject({ wrong: [], killedInstances: 1, revoked: 5 })
    expect(report.captured).toBeGreaterThan(0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await database.close()
  }
})
