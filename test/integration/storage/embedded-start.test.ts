import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openEmbedded } from '../../../host/embedded-postgres/embedded.ts'
import { preparePlace } from '../../../host/embedded-postgres/place.ts'
import { runningPostmaster } from '../../../host/embedded-postgres/postmaster.ts'
import type { Logger } from '../../../kernel/log/logger.ts'
import { silentLog } from '../../support/log.ts'

it('a start that fails behind the start of its server stops the server', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'coinop-embedded-start-'))
  try {
    const log: Logger = {
      ...silentLog,
      info: (_facts, message) => {
        if (message === 'the embedded database is ready') throw new Error('no room for a line')
      },
    }
    const opening = openEmbedded({ dataDir, role: 'gateway', sandbox: true, log })
    await expect(opening).rejects.toThrow('no room')
    expect(runningPostmaster(preparePlace(dataDir).clusterLink)).toBeNull()
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})
