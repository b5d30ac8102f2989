/** Holds that are undone while the ledger is away. */
import { expect, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import type { Ledger } from '../../../kernel/ledger/contract.ts'
import { HoldUndo } from '../../../kernel/rails/credits/hold-undo.ts'
import { ledgerUnavailable } from '../../../kernel/work/retry.ts'
import { PATIENT } from '../../support/patience.ts'

const away = () => ledgerUnavailable(new Error('away'))
const hold = () => ({ id: newId(), accountId: newId(), keyId: 'key_1', requestId: 'r' })
const NOTE = 'the answer broke off'

test('are released once it is back, and no one is undone twice at a time', async () => {
  let tries = 0
  const undo = new HoldUndo({
    release: async () => {
      if (++tries === 1) throw away()
      return { outcome: 'not_found' }
    },
  } as unknown as Ledger)
  const one = hold()
  const started = undo.start(one, NOTE)
  expect(undo.start(one, NOTE)).toBe(started)
  expect(undo.has(one.id)).toBe(true)
  expect(await undo.drain(PATIENT.timeout)).toBe(true)
  expect(await started).toBe(true)
  expect(undo.has(one.id)).toBe(false)
  expect(tries).toBe(2)
})

test('are left when the time of a shutdown is over: nothing of them goes on', async () => {
  const undo = new HoldUndo({ release: () => Promise.reject(away()) } as unknown as Ledger)
  const started = undo.start(hold(), NOTE)
  expect(await undo.drain(1)).toBe(false)
  expect(await started).toBe(false)
})

test('are left to their charge where it is due', async () => {
  const undo = new HoldUndo({} as Ledger)
  expect(await undo.start(hold(), NOTE, async () => false)).toBe(false)
})
