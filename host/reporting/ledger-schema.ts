/** drizzle tables with the columns that ledger-rows.ts reads. */
import { bigint, integer, pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { ENTRY_KINDS } from '#kernel/host'

const coinop = pgSchema('coinop')

const entryKind = coinop.enum('entry_kind', ENTRY_KINDS)
const atomic = (name: string) => bigint(name, { mode: 'bigint' })
const instant = (name: string) => timestamp(name, { withTimezone: true })

/** The caps and spending of a key, in total or for one product. */
export const keySpend = coinop.table('key_spend', {
  accountId: uuid('account_id').notNull(),
  keyId: text('key_id').notNull(),
  scope: text().notNull(),
})

export const hold = coinop.table('hold', {
  id: uuid().notNull(),
  accountId: uuid('account_id').notNull(),
  endId: uuid('end_id'),
  restId: uuid('rest_id'),
  refundId: uuid('refund_id'),
  priceVersion: integer('price_version'),
  requestId: text('request_id').notNull(),
  skillId: text('skill_id').notNull(),
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
  note: text(),
  legacyId: atomic('legacy_id'),
})
