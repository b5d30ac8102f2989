/** Which state a claim's row is in, row by row as the table in states.ts has them. */
import { expect, it } from 'vitest'
import {
  isAhead,
  NO_INPUT,
  stateOf,
  type ClaimState,
  type StateFacts,
} from '../../../../plugins/x402/claims/states.ts'

const leased = { is_leased: true }
const unleased = { is_leased: false }
const unpaid: StateFacts = {
  state: 'claimed',
  prepaid: false,
  fingerprint: 'f',
  ledger_id: null,
  ...leased,
}
const paid = { ...unpaid, ledger_id: '7' }
const ahead = { ...paid, prepaid: true, fingerprint: NO_INPUT }
const redeemed = { ...ahead, fingerprint: 'f' }

const rows: [ClaimState, StateFacts][] = [
  ['working', unpaid],
  ['abandoned', { ...unpaid, ...unleased }],
  ['released', { ...unpaid, state: 'released' }],
  ['settling', { ...unpaid, state: 'settling' }],
  ['settling', { ...unpaid, state: 'settling', ...unleased }],
  ['failed', { ...unpaid, state: 'failed' }],
  ['settled', { ...paid, state: 'settled' }],
  ['settled', { ...redeemed, state: 'settled' }],
  ['settled_ahead', { ...paid, state: 'settled', fingerprint: NO_INPUT }],
  ['paid_ahead', { ...ahead, state: 'prepaid' }],
  ['paid_ahead', { ...redeemed, state: 'prepaid' }],
  ['paid_ahead', { ...redeemed, ...unleased }],
  ['redeeming', redeemed],
  ['streaming', paid],
  ['interrupted', { ...paid, ...unleased }],
  ['interrupted', { ...paid, state: 'prepaid' }],
]

it.each(rows)('%s', (expected, row) => {
  expect(stateOf(row)).toBe(expected)
})

it('a claim is ahead of its call before and after it is redeemed, and no other is', () => {
  expect([ahead, { ...unpaid, fingerprint: NO_INPUT }, redeemed].map(isAhead)).toEqual([
    true,
    true,
    true,
  ])
  expect([unpaid, paid].map(isAhead)).toEqual([false, false])
})
