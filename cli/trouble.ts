/** What a person is told of an error that ends a command. */
import { DrizzleQueryError } from 'drizzle-orm'
import { codeOf } from '../kernel/errors.ts'
import { StorageError } from '../kernel/storage/errors.ts'
import { fileFix } from './file-trouble.ts'

/** SQLSTATE `disk_full`. */
const DISK_FULL = '53100'

/** Of a query that failed what the database says: its text and its values help nobody. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!(error instanceof DrizzleQueryError) || !error.cause) return error.message
  return `The database refused a query: ${error.cause.message}`
}

/** What an operator can do about something that is missing or refused; null for any other error. */
export function fixOf(error: unknown): string | null {
  if (error instanceof StorageError) return error.fix
  return isOfFullDisk(error) ? 'Free some space on the disk of the database.' : fileFix(error)
}

function isOfFullDisk(error: unknown): boolean {
  if (codeOf(error) === DISK_FULL) return true
  return error instanceof Error && isOfFullDisk(error.cause)
}
