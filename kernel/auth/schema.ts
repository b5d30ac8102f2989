/** drizzle tables of migration 0001_auth, for cold queries; the hot ones are prepared SQL. */
import { bigint, customType, integer, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'

const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

const coinop = pgSchema('coinop')

export const apiKey = coinop.table('api_key', {
  id: text().primaryKey(),
  name: text().notNull(),
  mode: text({ enum: ['live', 'test'] }).notNull(),
  prefix: text().notNull(),
  dailySpendCeilingCredits: bigint('daily_spend_ceiling_credits', { mode: 'number' }),
  rpmLimit: integer('rpm_limit'),
  burstLimit: integer('burst_limit'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  revokedAt: timestamp('revoked_at', { withTimezone: true }),
})

export const apiKeySecret = coinop.table('api_key_secret', {
  publicId: text('public_id').primaryKey(),
  keyId: text('key_id')
    .notNull()
    .references(() => apiKey.id),
  secretHash: bytea('secret_hash').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  expiresAt: timestamp('expires_at', { withTimezone: true }),
})
