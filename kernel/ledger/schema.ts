/** drizzle tables of migration 0000_ledger, for row types and cold queries; see statements.ts. */
import { bigint, date, integer, pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const coinop = pgSchema('coinop')

export const holdState = coinop.enum('hold_state', [
  'authorized',
  'captured',
  'released',
  'expired',
  'refunded',
])
export const entryKind = coinop.enum('entry_kind', [
  'authorize',
  'capture',
  'release',
  'expire',
  'refund',
  'topup',
  'grant',
  'adjustment',
  'settlement',
])

const atomic = (name: string) => bigint(name, { mode: 'bigint' })
const instant = (name: string) => timestamp(name, { withTimezone: true })

/** One row per API key: its two balances and what the authorize statement checks. */
export const account = coinop.table('account', {
  keyId: text('key_id').primaryKey(),
  mode: text({ enum: ['live', 'test'] }).notNull(),
  available: atomic('available').notNull(),
  held: atomic('held').notNull(),
  ceiling: atomic('ceiling'),
  spentDay: date('spent_day').notNull(),
  spentToday: atomic('spent_today').notNull(),
  revokedAt: instant('revoked_at'),
})

export const hold = coinop.table('hold', {
  id: uuid().primaryKey(),
  amount: atomic('amount').notNull(),
  captured: atomic('captured'),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  authorizeEntry: atomic('authorize_entry').notNull(),
  endEntry: atomic('end_entry'),
  restEntry: atomic('rest_entry'),
  refundEntry: atomic('refund_entry'),
  state: holdState('state').notNull(),
  priceVersion: integer('price_version'),
  keyId: text('key_id').notNull(),
  requestId: text('request_id').notNull(),
  claim: text(),
  skillId: text('skill_id').notNull(),
  path: text().notNull(),
  acquisition: text(),
})

/** One posting: `amount` moves from `debit` to `credit`. Append-only. */
export const entry = coinop.table('entry', {
  id: atomic('id').primaryKey(),
  at: instant('at').notNull(),
  amount: atomic('amount').notNull(),
  holdId: uuid('hold_id'),
  kind: entryKind('kind').notNull(),
  debit: text().notNull(),
  credit: text().notNull(),
  keyId: text('key_id'),
  requestId: text('request_id'),
  rail: text(),
  skillId: text('skill_id'),
  path: text(),
  priceVersion: integer('price_version'),
  acquisition: text(),
  transaction: text(),
  reference: text(),
  note: text(),
})
