/** The drizzle table of API keys (migrations 0001_auth and 0005_accounts) for cold queries; hot ones are prepared SQL. */
import { integer, pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const coinop = pgSchema('coinop')

export const apiKey = coinop.table('api_key', {
  id: text().primaryKey(),
  name: text().notNull(),
  mode: text({ enum: ['live', 'test'] }).notNull(),
  prefix: text().notNull(),
  accountId: uuid('account_id').notNull(),
  products: text().array(),
  rpmLimit: integer('rpm_limit'),
  burstLimit: integer('burst_limit'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  revokedAt: timestamp('revoked_at', { withTimezone: true }),
})
