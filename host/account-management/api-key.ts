/** The drizzle table of API keys (migrations 0001_auth, 0005_accounts, 0008_owners, 0011_key_terms and 0014_key_skills) for cold queries; hot ones are prepared SQL. */
import { integer, jsonb, pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { KeyMetadata } from '#kernel'

const coinop = pgSchema('coinop')

export const apiKey = coinop.table('api_key', {
  id: text().primaryKey(),
  name: text().notNull(),
  mode: text({ enum: ['live', 'test'] }).notNull(),
  prefix: text(),
  kind: text({ enum: ['key', 'grant'] })
    .notNull()
    .default('key'),
  madeBy: text('made_by').notNull().default('operator'),
  parentKeyId: text('parent_key_id'),
  accountId: uuid('account_id').notNull(),
  products: text().array(),
  rpmLimit: integer('rpm_limit'),
  burstLimit: integer('burst_limit'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  revokedAt: timestamp('revoked_at', { withTimezone: true }),
  expiresAt: timestamp('expires_at', { withTimezone: true }),
  networks: text().array(),
  skills: text().array(),
  metadata: jsonb().$type<KeyMetadata>().notNull().default({}),
})
