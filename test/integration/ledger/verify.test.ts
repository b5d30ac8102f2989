/** Verify must find broken books: each case tampers with one fact and names what must be reported. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import { INVARIANTS } from '../../../host/reporting/invariants.ts'
import { verifyLedger } from '../../../host/reporting/verify.ts'
import type { SqlClient } from '../../../kernel/storage/contract.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { fundedKey, letTimePass, order } from './books.ts'
import { heldCall } from '../../support/spenders.ts'
import { ownAccount } from '../../support/accounts.ts'

let database: TestDatabase
let sql: SqlClient
const counted = { accounts: 0, holds: 0, entries: 0 }

beforeAll(async () => {
  database = await testDatabase()
  sql = database.db.sql
  const ledger = createLedger(database.db)
  const keyId = await fundedKey(sql, ledger, 1_000_000n)
  const due = await heldCall(ledger, order(keyId, 10n))
  await letTimePass(sql, 61_000)
  await ledger.expireDue()
  const captured = await heldCall(ledger, order(keyId, 20n, { scope: 'request' }))
  await ledger.capture({ holdId: captured.id, accountId: ownAccount(keyId), keyId })
  const part = await heldCall(ledger, order(keyId, 30n))
  await ledger.capture({ holdId: part.id, accountId: ownAccount(keyId), keyId, amountAtomic: 11n })
  const refunded = await heldCall(ledger, order(keyId, 40n))
  await ledger.capture({ holdId: refunded.id, accountId: ownAccount(keyId), keyId })
  await ledger.refund({ requestId: refunded.requestId })
  const released = await heldCall(ledger, order(keyId, 50n, { scope: 'request' }))
  await ledger.release({ holdId: released.id, accountId: ownAccount(keyId), keyId })
  await heldCall(ledger, order(keyId, 60n, { scope: 'request' }))
  expect(due.state).toBe('authorized')
  Object.assign(counted, { accounts: 1, holds: 6, entries: 14 })
  // Broken books are what the constraints prevent, so a tamperer takes them away first.
  await sql.unsafe(`
    ALTER TABLE entry DISABLE TRIGGER entry_append_only;
    ALTER TABLE entry DROP CONSTRAINT entry_amount_check, DROP CONSTRAINT entry_sides_differ,
      DROP CONSTRAINT entry_balance_has_account;
    ALTER TABLE account DROP CONSTRAINT account_available_not_negative,
      DROP CONSTRAINT account_held_not_negative;
    ALTER TABLE hold DROP CONSTRAINT hold_captured_check, DROP CONSTRAINT hold_amount_check;
    DROP INDEX hold_claim, entry_reference`)
})
afterAll(() => database.close())

/** The invariants that a report names after `tamper`; the tampering is rolled back. */
async function broken(tamper: string): Promise<string[]> {
  let names: string[] = []
  const undone = new Error('undo')
  await sql
    .begin(async (tx) => {
      const changed = await tx.unsafe(tamper)
      expect(changed.count, 'the tampering changed something').toBeGreaterThan(0)
      for (const { name, query } of INVARIANTS) {
        if ((await tx.unsafe(query)).length > 0) names.push(name)
      }
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  return names
}

describe('verify', () => {
  test('finds nothing in honest books', async () => {
    expect(await verifyLedger(sql)).toEqual({ ok: true, checked: counted, violations: [] })
  })

  const entryColumns = 'id, at, amount, hold_id, kind, debit, credit, account_id, key_id'
  const copyOf = (kind: string) =>
    `INSERT INTO entry (${entryColumns}) SELECT gen_random_uuid(), at, amount, hold_id, kind, debit, credit, account_id, key_id
     FROM entry WHERE kind = '${kind}' LIMIT 1`

  const TAMPERINGS: [string, string, string[]][] = [
    [
      'credits out of nothing',
      `UPDATE account SET available = available + 1`,
      ['balances_equal_postings'],
    ],
    [
      'a held balance out of nothing',
      `UPDATE account SET held = held + 1`,
      ['balances_equal_postings', 'held_equals_authorized_holds'],
    ],
    [
      'a negative balance',
      `UPDATE account SET available = -1`,
      ['balances_not_negative', 'balances_equal_postings'],
    ],
    [
      'a changed posting',
      `UPDATE entry SET amount = amount + 1 WHERE kind = 'capture'`,
      ['balances_equal_postings', 'holds_match_postings'],
    ],
    [
      'a changed top-up',
      `UPDATE entry SET amount = amount + 1 WHERE kind = 'grant'`,
      ['balances_equal_postings'],
    ],
    [
      'a negative posting',
      `UPDATE entry SET amount = -amount WHERE kind = 'refund'`,
      ['postings_are_well_formed'],
    ],
    [
      'a posting without an account to credit',
      `ALTER TABLE entry ALTER credit DROP NOT NULL; UPDATE entry SET credit = NULL WHERE kind = 'capture'`,
      ['postings_sum_to_zero', 'postings_are_well_formed'],
    ],
    [
      'a capture that pays the key',
      `UPDATE entry SET credit = 'available' WHERE kind = 'capture'`,
      ['postings_are_well_formed', 'balances_equal_postings'],
    ],
    [
      'a deleted posting',
      `DELETE FROM entry WHERE kind = 'release'`,
      ['holds_match_postings', 'balances_equal_postings'],
    ],
    ['a second capture posting', copyOf('capture'), ['holds_match_postings']],
    ['a second refund posting', copyOf('refund'), ['holds_match_postings']],
    [
      'a posting of a hold that is not there',
      `UPDATE entry SET hold_id = gen_random_uuid() WHERE kind = 'capture'`,
      ['holds_match_postings'],
    ],
    [
      "another key's posting",
      `UPDATE entry SET key_id = 'key_other' WHERE kind = 'capture'`,
      ['holds_match_postings'],
    ],
    [
      "another account's posting",
      `UPDATE entry SET account_id = gen_random_uuid() WHERE kind = 'capture'`,
      ['holds_match_postings', 'balances_equal_postings'],
    ],
    ['a deleted hold', `DELETE FROM hold WHERE state = 'released'`, ['holds_match_postings']],
    [
      'a deleted open hold',
      `DELETE FROM hold WHERE state = 'authorized'`,
      ['held_equals_authorized_holds'],
    ],
    [
      'a deleted account',
      `DELETE FROM account`,
      ['balances_equal_postings', 'held_equals_authorized_holds', 'keys_are_on_their_accounts'],
    ],
    [
      'a hold captured without a posting',
      `UPDATE hold SET state = 'captured', captured = amount WHERE state = 'authorized'`,
      ['holds_match_postings', 'held_equals_authorized_holds'],
    ],
    [
      'a capture made undone',
      `UPDATE hold SET state = 'authorized', captured = NULL WHERE captured = amount AND state = 'captured'`,
      ['holds_match_postings', 'held_equals_authorized_holds'],
    ],
    [
      'a refund without a posting',
      `UPDATE hold SET state = 'refunded' WHERE state = 'captured'`,
      ['holds_match_postings'],
    ],
    [
      'a changed captured amount',
      `UPDATE hold SET captured = captured - 1 WHERE state = 'captured'`,
      ['holds_match_postings', 'spent_today_equals_holds'],
    ],
    [
      'a hold that names another posting',
      `UPDATE hold SET end_id = gen_random_uuid() WHERE state = 'captured'`,
      ['holds_match_postings'],
    ],
    [
      'one request charged twice',
      `INSERT INTO hold (id, account_id, amount, captured, created_at, expires_at, end_id, state, key_id, request_id, claim, skill_id, product_id, path) SELECT gen_random_uuid(), account_id, amount, captured, created_at, expires_at, end_id, state, key_id, request_id, claim, skill_id, product_id, path FROM hold WHERE claim IS NOT NULL`,
      ['request_charged_once'],
    ],
    [
      'a released hold that keeps its request id',
      `UPDATE hold SET claim = request_id WHERE state = 'released'`,
      ['request_charged_once'],
    ],
    [
      'one reference credited twice',
      `INSERT INTO entry (id, at, amount, kind, debit, credit, account_id, key_id, reference) SELECT gen_random_uuid(), at, amount, kind, debit, credit, account_id, key_id, reference FROM entry WHERE kind = 'grant'`,
      ['reference_credited_once', 'balances_equal_postings'],
    ],
    ['a forgotten spend', `UPDATE key_spend SET day_spent = 0`, ['spent_today_equals_holds']],
    ['a forgotten month', `UPDATE key_spend SET month_spent = 0`, ['spent_today_equals_holds']],
    [
      'a key on two accounts',
      `INSERT INTO key_spend (account_id, key_id) SELECT gen_random_uuid(), key_id FROM key_spend`,
      ['keys_are_on_their_accounts'],
    ],
    [
      "a key's row that is gone",
      `UPDATE key_spend SET scope = 'demo'`,
      ['keys_are_on_their_accounts'],
    ],
    [
      "another account's hold",
      `UPDATE hold SET account_id = gen_random_uuid() WHERE state = 'released'`,
      ['keys_are_on_their_accounts', 'holds_match_postings'],
    ],
    [
      'free calls that nobody made',
      `INSERT INTO free_use VALUES (gen_random_uuid(), 'demo.echo', '2026-11', 5, 1)`,
      ['free_calls_equal_holds'],
    ],
    [
      'a free call that is not counted',
      `UPDATE hold SET free_bucket = '2026-11', amount = 0 WHERE state = 'authorized'`,
      ['free_calls_equal_holds'],
    ],
    [
      'units that nobody used',
      `INSERT INTO volume VALUES (gen_random_uuid(), 'demo.echo', '2026-11-01', 7)`,
      ['volumes_equal_units'],
    ],
    [
      'units that overlap',
      `UPDATE hold SET volume_before = 0, volume_units = 2 WHERE captured IS NOT NULL`,
      ['volumes_equal_units'],
    ],
    [
      'a graduated price that was charged by another tier',
      `INSERT INTO price_list (hash, rows) VALUES ('tiered', '[{"skill": "demo.echo", "product": "demo",
         "rule": {"base": {"usdcAtomic": "9"}, "per": [],
           "tiers": [{"upTo": 100, "usdcAtomic": "9"}, {"upTo": null, "usdcAtomic": "5"}]}}]');
       INSERT INTO price_table (version, hash, lists) VALUES (77, 'tiered', '{tiered}');
       UPDATE hold SET skill_id = 'demo.echo', product_id = 'demo', price_version = 77,
         volume_before = 99, volume_units = 1, captured = 5 WHERE state = 'captured'`,
      ['graduated_charges_follow_prices'],
    ],
    [
      'a transfer that did not arrive',
      `INSERT INTO entry (id, at, amount, kind, debit, credit, account_id, reference)
       SELECT gen_random_uuid(), at, 5, 'adjustment', 'available', 'transfer', account_id, 'transfer:1'
       FROM entry WHERE kind = 'grant'`,
      ['transfers_arrive', 'balances_equal_postings'],
    ],
    [
      'a low balance told twice',
      `UPDATE account SET low_mark = 1, low_at = now();
       INSERT INTO outbox (account_id, topic, body)
       SELECT id, 'account.low_balance', '{}' FROM account, generate_series(1, 2)`,
      ['low_marks_told_once'],
    ],
    [
      'a posting of nothing and no hold',
      `ALTER TABLE entry DROP CONSTRAINT entry_free_has_hold;
       UPDATE entry SET amount = 0 WHERE kind = 'grant'`,
      ['postings_are_well_formed'],
    ],
    [
      'a hold whose first posting has another id',
      `UPDATE entry SET id = gen_random_uuid() WHERE kind = 'authorize'`,
      ['postings_are_well_formed'],
    ],
    [
      'a refund that revenue did not pay',
      `UPDATE entry SET debit = 'sandbox' WHERE kind = 'refund'`,
      ['postings_are_well_formed'],
    ],
    [
      'a release that names another posting',
      `UPDATE hold SET end_id = gen_random_uuid() WHERE state = 'released'`,
      ['holds_match_postings'],
    ],
    [
      'an expiry that names another posting',
      `UPDATE hold SET end_id = gen_random_uuid() WHERE state = 'expired'`,
      ['holds_match_postings'],
    ],
    [
      'a rest that names another posting',
      `UPDATE hold SET rest_id = gen_random_uuid() WHERE captured < amount`,
      ['holds_match_postings'],
    ],
    [
      'more captured than was held',
      `UPDATE hold SET captured = amount + 1 WHERE state = 'captured' AND captured = amount`,
      ['holds_match_postings'],
    ],
    [
      'a spend that no hold made',
      `UPDATE key_spend SET day_spent = day_spent + 1, month_spent = month_spent + 1`,
      ['spent_today_equals_holds'],
    ],
    [
      "a product's budget that counts none of its holds",
      `INSERT INTO key_spend (account_id, key_id, scope, day_cap)
       SELECT account_id, key_id, 'demo', 100 FROM key_spend`,
      ['spent_today_equals_holds'],
    ],
    [
      'a key on no account',
      `INSERT INTO key_spend (account_id, key_id) VALUES (gen_random_uuid(), 'key_other')`,
      ['keys_are_on_their_accounts'],
    ],
    [
      "a posting of another account's key",
      `UPDATE entry SET key_id = 'key_other' WHERE kind = 'grant'`,
      ['keys_are_on_their_accounts'],
    ],
    [
      'an API key without a row on its account',
      `INSERT INTO api_key (id, account_id, name, mode, prefix)
       SELECT 'key_' || repeat('0', 32), id, 'x', mode, 'x' FROM account`,
      ['keys_are_on_their_accounts'],
    ],
    [
      'more free calls than there are',
      `UPDATE hold SET free_bucket = to_char(now() AT TIME ZONE 'utc', 'YYYY-MM'), amount = 0
       WHERE state = 'authorized';
       INSERT INTO free_use SELECT account_id, skill_id, free_bucket, 0, 1 FROM hold
       WHERE free_bucket IS NOT NULL`,
      ['free_calls_equal_holds'],
    ],
    [
      'a free call that costs something',
      `ALTER TABLE hold DROP CONSTRAINT hold_free_costs_nothing;
       UPDATE hold SET free_bucket = '2020-01' WHERE state = 'authorized'`,
      ['free_calls_equal_holds'],
    ],
    [
      'units that begin beyond the first',
      `INSERT INTO volume SELECT account_id, skill_id,
         date_trunc('month', created_at AT TIME ZONE 'utc')::date, 2 FROM hold WHERE state = 'refunded';
       UPDATE hold SET volume_before = 1, volume_units = 2 WHERE state = 'refunded'`,
      ['volumes_equal_units'],
    ],
    [
      'a graduated price of units that left its base out',
      `INSERT INTO price_list (hash, rows) VALUES ('units', '[{"skill": "demo.echo", "product": "demo",
         "rule": {"base": {"usdcAtomic": "3"}, "tiers": null, "per": [{"tiers":
           [{"upTo": 10, "usdcAtomic": "2"}, {"upTo": null, "usdcAtomic": "1"}]}]}}]');
       INSERT INTO price_table (version, hash, lists) VALUES (78, 'units', '{units}');
       UPDATE hold SET skill_id = 'demo.echo', product_id = 'demo', price_version = 78,
         volume_before = 9, volume_units = 2, captured = 3 WHERE state = 'refunded'`,
      ['graduated_charges_follow_prices'],
    ],
    [
      'a transfer of which less arrived',
      `INSERT INTO entry (id, at, amount, kind, debit, credit, account_id, reference)
       SELECT gen_random_uuid(), at, 5, 'adjustment', 'available', 'transfer', account_id, 'transfer:2'
       FROM entry WHERE kind = 'grant';
       INSERT INTO entry (id, at, amount, kind, debit, credit, account_id, reference)
       SELECT gen_random_uuid(), at, 4, 'adjustment', 'transfer', 'available', account_id, 'transfer:2'
       FROM entry WHERE kind = 'grant'`,
      ['transfers_arrive', 'balances_equal_postings'],
    ],
    [
      'usage of a day that nobody made',
      `INSERT INTO usage_day (account_id, day, key_id, skill_id, calls, charged, refunded)
       SELECT account_id, '2026-01-01', key_id, skill_id, 1, 5, 0 FROM hold LIMIT 1`,
      ['usage_sums_equal_postings'],
    ],
    [
      'usage that is folded and not summed',
      `UPDATE usage_fold SET folded_to = now() + interval '1 day'`,
      ['usage_sums_equal_postings'],
    ],
  ]
  test.each(TAMPERINGS)('finds %s', async (_, tamper, expected) => {
    expect(await broken(tamper)).toEqual(expect.arrayContaining(expected))
  })

  test('every invariant is one that some tampering breaks', () => {
    const found = new Set(TAMPERINGS.flatMap(([, , names]) => names))
    expect(INVARIANTS.map(({ name }) => name).filter((name) => !found.has(name))).toEqual([])
  })

  test('a report says who and what', async () => {
    await sql`UPDATE account SET available = available + 1`
    const report = await verifyLedger(sql)
    await sql`UPDATE account SET available = available - 1`
    expect(report.ok).toBe(false)
    expect(report.violations).toEqual([
      {
        invariant: 'balances_equal_postings',
        subject: expect.stringMatching(/^[0-9a-f-]{36}$/),
        message: expect.stringMatching(/^available \d+ and held 60, postings say \d+ and 60$/),
      },
    ])
  })
})
