/** drizzle tables of migration 0005_accounts, for row types and cold queries; see sql/. */
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

/** A balance that any number of keys share. */
export const account = coinop.table('account', {
  id: uuid().primaryKey(),
  mode: text({ enum: ['live', 'test'] }).notNull(),
  available: atomic('available').notNull(),
  held: atomic('held').notNull(),
  epoch: integer().notNull(),
  lowMark: atomic('low_mark'),
  lowAt: instant('low_at'),
  closedAt: instant('closed_at'),
})

/** What a key may spend and has spent, in all or on one product. */
export const keySpend = coinop.table('key_spend', {
  accountId: uuid('account_id').notNull(),
  keyId: text('key_id').notNull(),
  scope: text().notNull(),
  callCap: atomic('call_cap'),
  dayCap: atomic('day_cap'),
  monthCap: atomic('month_cap'),
  day: date().notNull(),
  daySpent: atomic('day_spent').notNull(),
  monthSpent: atomic('month_spent').notNull(),
  revokedAt: instant('revoked_at'),
})

export const hold = coinop.table('hold', {
  id: uuid().notNull(),
  accountId: uuid('account_id').notNull(),
  amount: atomic('amount').notNull(),
  captured: atomic('captured'),
  units: atomic('units'),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  endId: uuid('end_id'),
  restId: uuid('rest_id'),
  refundId: uuid('refund_id'),
  state: holdState('state').notNull(),
  priceVersion: integer('price_version'),
  keyId: text('key_id').notNull(),
  requestId: text('request_id').notNull(),
  claim: text(),
  skillId: text('skill_id').notNull(),
  productId: text('product_id').notNull(),
  path: text().notNull(),
  acquisition: text(),
})

/** One posting: `amount` moves from `debit` to `credit`. Append-only. */
export const entry = coinop.table('entry', {
  id: uuid().notNull(),
  kind: entryKind('kind').notNull(),
  accountId: uuid('account_id').notNull(),
  at: instant('at').notNull(),
  amount: atomic('amount').notNull(),
  holdId: uuid('hold_id'),
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
  legacyId: atomic('legacy_id'),
})
