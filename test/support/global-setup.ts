/**
 * Runs once before all test files: the embedded PostgreSQL in a temporary DATA_DIR (or the server of
 * TEST_DATABASE_URL) with one migrated template database, which `testDatabase()` clones.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { isAlive } from '../../kernel/work/process.ts'
import { createClient } from '../../host/database/client.ts'
import { withDatabase } from '../../host/embedded-postgres/connection-text.ts'
import { preparePlace } from '../../host/embedded-postgres/place.ts'
import { stopServer } from '../../host/embedded-postgres/server.ts'
import { migrateDatabase } from './migrate.ts'
import { offerRunFolder } from './run-folder.ts'
import { openTestServer } from './test-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection text of the test server's maintenance database. */
    serverUrl: string
    templateDatabase: string
  }
}

const PREFIX = 'coinop-test-'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL']
  if (given === undefined) await removeLeftovers()
  const dataDir =
    given === undefined ? mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`)) : null
  const runFolder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  // The databases of root run as another user, who must be able to pass.
  chmodSync(runFolder, 0o711)
  offerRunFolder(runFolder)
  const server = dataDir === null ? null : await openTestServer(dataDir)
  const serverUrl = withDatabase(server?.url ?? given!, 'postgres')
  const templateDatabase = `coinop_template_${process.pid}`
  const admin = createClient(serverUrl, { max: 1, applicationName: 'coinop tests' })
  await admin.unsafe(`create database ${templateDatabase}`)
  await migrateDatabase(withDatabase(serverUrl, templateDatabase))
  project.provide('serverUrl', serverUrl)
  project.provide('templateDatabase', templateDatabase)
  return async () => {
    await admin.unsafe(`drop database if exists ${templateDatabase} with (force)`)
    await admin.end({ timeout: 1 })
    await server?.close()
    for (const folder of [dataDir, runFolder])
      if (folder !== null) rmSync(folder, { recursive: true, force: true })
  }
}

/** Servers and folders of test runs that were killed. */
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    const dataDir = join(tmpdir(), name)
    await stopServer(preparePlace(dataDir), 'immediate')
    rmSync(dataDir, { recursive: true, force: true })
  }
}
