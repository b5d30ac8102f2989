/** The kernel's migrations applied to a database of a test or bench. */
import { createClient } from '../../host/database/client.ts'
import { migrateDatabase as migrate } from '../../kernel/storage/migrate.ts'

/** Applies what is missing and returns its tags; `folder` in place of the kernel's migrations. */
export function migrateDatabase(url: string, folder?: string): Promise<string[]> {
  return migrate(url, createClient, folder)
}
