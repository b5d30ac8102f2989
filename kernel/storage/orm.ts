/** The type of the query builder, in a file of its own: the published types leave drizzle out. */
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js'

export type Orm = PostgresJsDatabase
