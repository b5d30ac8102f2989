/** What the kernel is handed: how it connects to the PostgreSQL of the configuration. */
import type { DatabaseConnector } from '#kernel/host'
import { createClient } from './client.ts'
import { connectDatabase } from './connect.ts'
import { refuseUnfitSessions, waitForServer } from './server-check.ts'

export const databaseConnector: DatabaseConnector = {
  openClient: createClient,
  connect: connectDatabase,
  async checkServer({ sql, url }, log) {
    await waitForServer(sql, log)
    await refuseUnfitSessions(url)
  },
}
