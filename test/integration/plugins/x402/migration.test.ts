/** A database of before the rail was a plugin: its tables move with every row, and claims go on. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLedger } from '../../../../kernel/ledger/ledger.ts'
import { verifyLedger } from '../../../../host/reporting/verify.ts'
import { createSettlements } from '../../../../host/plugin-services/settlements.ts'
import type { SqlClient } from '../../../../kernel/storage/contract.ts'
import { migratePlugin, pluginDb } from '../../../../kernel/storage/plugin-db.ts'
import { Claims } from '../../../../plugins/x402/claims/claims.ts'
import { migrations } from '../../../../plugins/x402/migrations.ts'
import { recordSettlement } from '../../../support/settlements.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'
import { ownAccount } from '../../../support/accounts.ts'

/** As migrations 0004 and 0005 of the kernel had made them; 0006 added the last index. */
const CLAIM_TABLE = `
CREATE TABLE coinop.x402_claim (
  id uuid PRIMARY KEY, network text NOT NULL, asset text NOT NULL, payer text NOT NULL, nonce text NOT NULL,
  state text NOT NULL CHECK (state IN ('claimed', 'settling', 'settled', 'released', 'failed', 'prepaid')),
  prepaid boolean NOT NULL DEFAULT false, fingerprint text NOT NULL, request_id text NOT NULL, key_id text,
  skill_id text NOT NULL, path text NOT NULL, amount bigint NOT NULL CHECK (amount > 0),
  price_version integer NOT NULL, acquisition text, payment jsonb, valid_before bigint NOT NULL,
  chain_ref text, lease_until timestamptz NOT NULL, lease_token uuid, attempts integer NOT NULL DEFAULT 0,
  uncertain boolean NOT NULL DEFAULT false, reason text, transaction text, ledger_id text, status integer,
  headers jsonb, body bytea, created_at timestamptz NOT NULL DEFAULT now(), settled_at timestamptz,
  CONSTRAINT x402_claim_payment UNIQUE (network, asset, payer, nonce)
) WITH (fillfactor = 70);
CREATE INDEX x402_claim_open ON coinop.x402_claim (state, lease_until) WHERE state IN ('claimed', 'settling');
CREATE INDEX x402_claim_prepaid ON coinop.x402_claim (request_id) WHERE prepaid AND state IN ('prepaid', 'claimed');
CREATE INDEX x402_claim_transaction ON coinop.x402_claim (transaction) WHERE transaction IS NOT NULL;
CREATE INDEX x402_claim_kept ON coinop.x402_claim (created_at) WHERE body IS NOT NULL;
CREATE INDEX x402_claim_gone ON coinop.x402_claim (valid_before) WHERE state IN ('claimed', 'released', 'failed');`
const OUTGOING_TABLE = `
CREATE TABLE coinop.x402_outgoing (
  chain text NOT NULL, account text NOT NULL, account_nonce bigint NOT NULL, asset text NOT NULL,
  payer text NOT NULL, nonce text NOT NULL, target text NOT NULL, data text NOT NULL, gas bigint NOT NULL,
  forms jsonb NOT NULL, most_per_gas numeric NOT NULL, tended_until timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (chain, account, account_nonce),
  CONSTRAINT x402_outgoing_payment UNIQUE (chain, account, asset, payer, nonce)
);`
const PREPAID_INDEX =
  'CREATE INDEX x402_claim_prepaid_request ON coinop.x402_claim (request_id) WHERE prepaid;'

const ALL_INDEXES = [
  'x402_channel_claimed',
  'x402_channel_pkey',
  'x402_channel_unclaimed',
  'x402_claim_gone',
  'x402_claim_kept',
  'x402_claim_open',
  'x402_claim_payer_open',
  'x402_claim_payment',
  'x402_claim_pkey',
  'x402_claim_prepaid',
  'x402_claim_prepaid_request',
  'x402_claim_rail',
  'x402_claim_transaction',
  'x402_claim_unserved',
  'x402_outgoing_payment',
  'x402_outgoing_pkey',
]
const STATES = ['claimed', 'settling', 'settled', 'released', 'failed', 'prepaid'] as const

const opened: TestDatabase[] = []
afterAll(() => Promise.all(opened.map((database) => database.close())))

/** A database with what `tables` make, instead of the kernel's own of today. */
async function databaseWith(...tables: string[]): Promise<TestDatabase> {
  const database = await testDatabase()
  opened.push(database)
  const { sql } = database.db
  await sql.unsafe('DROP TABLE IF EXISTS coinop.x402_claim, coinop.x402_outgoing')
  for (const table of tables) await sql.unsafe(table)
  return database
}

async function indexes(sql: SqlClient): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    SELECT indexname AS name FROM pg_indexes WHERE schemaname = 'plugin_x402' AND tablename LIKE 'x402_%'`
  return rows.map(({ name }) => name).sort()
}

async function insertClaim(sql: SqlClient, row: Record<string, unknown>): Promise<void> {
  await sql`INSERT INTO coinop.x402_claim ${sql({
    id: Bun.randomUUIDv7(),
    network: 'eip155:8453',
    asset: '0xa',
    payer: '0xp',
    fingerprint: 'f',
    request_id: `of ${String(row['nonce'])}`,
    skill_id: 'demo.echo',
    path: '/v1/paid/echo',
    amount: 10_000n,
    price_version: 1,
    valid_before: 2_000_000_000n,
    lease_until: new Date(0),
    ...row,
  })}`
}

let database: TestDatabase
let before: readonly object[]
const isStored = { status: 200, headers: { 'x-answer': 'kept' }, body: Buffer.from('{"a":1}') }

beforeAll(async () => {
  database = await databaseWith(CLAIM_TABLE, OUTGOING_TABLE, PREPAID_INDEX)
  const { sql } = database.db
  for (const state of STATES) {
    const isPaid = state === 'settled' || state === 'prepaid'
    const transaction = `0x${state}`
    const { ledgerId } = isPaid
      ? await recordSettlement(database.db, {
          accountId: null,
          keyId: null,
          requestId: `of ${state}`,
          rail: 'x402',
          network: 'eip155:8453',
          skillId: 'demo.echo',
          path: '/v1/paid/echo',
          amountAtomic: 10_000n,
          priceVersion: 1,
          acquisition: null,
          transaction,
          reference: `0xa:0xp:${state}`,
        })
      : { ledgerId: null }
    await insertClaim(sql, {
      nonce: state,
      state,
      prepaid: state === 'prepaid',
      ...(isPaid && { transaction, ledger_id: ledgerId, settled_at: new Date() }),
      ...((state === 'settled' || state === 'settling') && isStored),
      payment: { accepted: { amount: '10000' } },
    })
  }
  await sql`INSERT INTO coinop.x402_outgoing
    (chain, account, account_nonce, asset, payer, nonce, target, data, gas, forms, most_per_gas, tended_until)
    VALUES ('eip155:8453', '0xb', 7, '0xa', '0xp', 'settling', '0xa', '0x', 1, '[["2","1"]]', 9, now())`
  before = [
    ...(await sql`SELECT * FROM coinop.x402_claim ORDER BY nonce`),
    ...(await sql`SELECT * FROM coinop.x402_outgoing`),
  ]
  expect((await verifyLedger(sql)).violations).toEqual([])
  await migratePlugin(database.db, 'x402', migrations)
})

it('keeps every row and index, and moves once', async () => {
  const { sql } = database.db
  const after = [
    ...(await sql`SELECT * FROM plugin_x402.x402_claim ORDER BY nonce`),
    ...(await sql`SELECT * FROM plugin_x402.x402_outgoing`),
  ]
  const claims = before.slice(0, STATES.length).map((row) => ({ ...row, units: null, rail: null }))
  expect(after).toEqual([...claims, ...before.slice(STATES.length)])
  expect(await indexes(sql)).toEqual(ALL_INDEXES)
  expect((await verifyLedger(sql)).violations).toEqual([])
  expect(await migratePlugin(database.db, 'x402', migrations)).toEqual([])
})

it('replays what was settled, and settles what was under way', async () => {
  const settlements = createSettlements(createLedger(database.db), async (keyId) =>
    ownAccount(keyId),
  )
  const claims = new Claims(pluginDb(database.db, 'x402'), settlements)
  const keyOf = (nonce: string) => ({ network: 'eip155:8453', asset: '0xa', payer: '0xp', nonce })
  const settled = await claims.byPayment(keyOf('settled'))
  expect(settled).toMatchObject({ state: 'settled', transaction: '0xsettled', units: 10_000n })
  expect(settled!.answer).toMatchObject({ status: 200, headers: { 'x-answer': 'kept' } })
  expect(Buffer.from(settled!.answer!.body).toString()).toBe('{"a":1}')
  expect(await claims.openPrepaid()).toMatchObject([{ requestId: 'of prepaid' }])
  const lease = { token: Bun.randomUUIDv7(), ms: 60_000 }
  const place = { network: 'eip155:8453', asset: '0xa', chainRef: null }
  const elsewhere = { ...place, network: 'eip155:10' }
  expect(await claims.leaseSettling(lease, { ...elsewhere, limit: 10 })).toEqual([])
  const [open, ...more] = await claims.leaseSettling(lease, { ...place, limit: 10 })
  expect([open!.nonce, more]).toEqual(['settling', []])
  const { ledgerId } = await claims.settled({
    id: open!.id,
    transaction: '0xlate',
    streamingMs: null,
    headers: null,
  })
  expect(ledgerId).toMatch(/^[0-9a-f-]{36}$/)
  expect((await verifyLedger(database.db.sql)).violations).toEqual([])
})

it.each([
  ['no table of the rail', []],
  ['the first table alone', [CLAIM_TABLE]],
  ['both tables without the last index', [CLAIM_TABLE, OUTGOING_TABLE]],
])('a database with %s gets the rest', async (_, tables) => {
  const { db } = await databaseWith(...tables)
  await migratePlugin(db, 'x402', migrations)
  expect(await indexes(db.sql)).toEqual(ALL_INDEXES)
})
