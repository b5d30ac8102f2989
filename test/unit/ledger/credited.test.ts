/** Who waits for credits hears of them also when the answer of the statement was lost. */
import { expect, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import type { CreditOrder } from '../../../kernel/ledger/money-orders.ts'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import { CREDIT_ONE, ENTRY_BY_REFERENCE, TRANSFER } from '../../../kernel/ledger/sql/money.ts'

const accountId = newId()
const otherId = newId()

/** A ledger over a connection that breaks once, after the first statement was carried out. */
function afterLostAnswer(rowsOf: (text: string) => object[]) {
  let isLost = false
  const credited: string[] = []
  const sql = {
    async unsafe(text: string) {
      if (isLost) return rowsOf(text)
      isLost = true
      throw Object.assign(new Error('the connection closed'), { code: 'CONNECTION_CLOSED' })
    },
  }
  const ledger = createLedger({ sql, orm: {} } as never, {
    credited: async (id) => void credited.push(id),
  })
  return { ledger, credited }
}

test('a credit whose answer was lost', async () => {
  const { ledger, credited } = afterLostAnswer((text) => {
    if (text === ENTRY_BY_REFERENCE)
      return [{ ledger_id: newId(), account_id: accountId, amount: 5n, balance: 5n }]
    expect(text).toBe(CREDIT_ONE)
    const refused = { ledger_id: null, available_after: null }
    return [{ mode: 'live', revoked: false, closed: false, available: 5n, ...refused }]
  })
  const order: CreditOrder = {
    accountId,
    amountAtomic: 5n,
    source: 'topup:card',
    reference: 'one',
    kind: 'topup',
  }
  expect(await ledger.credit(order)).toMatchObject({ outcome: 'credited', duplicate: true })
  expect(credited).toEqual([accountId])
})

test('a transfer whose answer was lost', async () => {
  const { ledger, credited } = afterLostAnswer((text) => {
    if (text !== TRANSFER)
      return [{ ledger_id: newId(), from_id: accountId, to_id: otherId, amount: 5n }]
    const account = { mode: 'live', available: 5n, closed: false, ledger_id: null }
    return [accountId, otherId].map((id) => ({ id, ...account, available_after: null }))
  })
  const order = {
    fromAccountId: accountId,
    toAccountId: otherId,
    amountAtomic: 5n,
    reference: 'one',
  }
  expect(await ledger.transfer(order)).toMatchObject({ outcome: 'transferred', duplicate: true })
  expect(credited).toEqual([otherId])
})
