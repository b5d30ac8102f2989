import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { createClient } from '../../../host/database/client.ts'
import { cacheFolders, findBinaries } from '../../../host/embedded-postgres/binaries.ts'
import { makeCluster } from '../../../host/embedded-postgres/cluster.ts'
import { openEmbedded } from '../../../host/embedded-postgres/embedded.ts'
import { preparePlace } from '../../../host/embedded-postgres/place.ts'
import { runningPostmaster } from '../../../host/embedded-postgres/postmaster.ts'
import { codeOf } from '../../../kernel/errors.ts'
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

it('a first start that Ctrl-C interrupts says so, and leaves nothing half made', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'coinop-embedded-start-'))
  const initdb = join(dataDir, 'initdb')
  try {
    chmodSync(dataDir, 0o755)
    // What initdb 18 says when the signal ends the server that it runs.
    const said = 'running bootstrap script ... child process was terminated by signal 2: Interrupt'
    writeFileSync(initdb, `#!/bin/sh\necho '${said}' >&2\nexit 1\n`, { mode: 0o755 })
    const place = preparePlace(dataDir)
    const making = makeCluster(
      place,
      { ...findBinaries(place.user, cacheFolders(dataDir)), initdb },
      silentLog,
    )
    await expect(making).rejects.toThrow('was interrupted while it made the database')
    const left = readdirSync(dirname(place.newCluster))
    expect(left.filter((name) => name.startsWith('postgres'))).toEqual([])
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

it('a server whose connections are all taken by others is told of, and left alone', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'coinop-embedded-start-'))
  const options = { dataDir, sandbox: true, log: silentLog }
  const gateway = await openEmbedded({ ...options, role: 'gateway' })
  const others = createClient(gateway.url, { max: 200, applicationName: 'others' })
  try {
    const { clusterLink } = preparePlace(dataDir)
    const before = runningPostmaster(clusterLink)
    const asked = Array.from({ length: 200 }, () => others`select pg_sleep(600)`.execute())
    // Some find no place, which is how many there are.
    await Promise.any(asked.map((one) => one.catch((error: unknown) => codeOf(error))))
    const tool = openEmbedded({ ...options, role: 'tool' })
    await expect(tool).rejects.toThrow(
      /All 100 connections of the embedded PostgreSQL .* are taken/,
    )
    expect(runningPostmaster(clusterLink)).toEqual(before)
  } finally {
    await others.end({ timeout: 0 })
    await gateway.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

it('the log of a running server is cut within a minute, and the server goes on writing it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'coinop-embedded-start-'))
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const gateway = await openEmbedded({ dataDir, role: 'gateway', sandbox: true, log: silentLog })
  const sql = createClient(gateway.url, { max: 1, applicationName: 'test' })
  try {
    const { logFile } = preparePlace(dataDir)
    writeFileSync(logFile, 'x'.repeat(11 * 1024 * 1024), { flag: 'a' })
    vi.advanceTimersByTime(60_000)
    await expect(sql`select 1 / 0`).rejects.toThrow('division by zero')
    expect(statSync(`${logFile}.1`).size).toBeGreaterThan(11 * 1024 * 1024)
    expect(readFileSync(logFile, 'utf8')).toMatch(/^[^x\0]*ERROR: {2}division by zero/)
  } finally {
    await sql.end({ timeout: 1 })
    await gateway.close()
    vi.useRealTimers()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
