import { describe, expect, it } from 'vitest'
import { TrustedPayers } from '../../../../plugins/x402/settle/trusted-payers.ts'

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'

describe('the credit of a payer', () => {
  it('is what they have settled, and nobody else has it', () => {
    const credit = new TrustedPayers()
    expect(credit.take(ALICE, 1n)).toBe(false)
    credit.earn(ALICE, 10_000n)
    credit.earn(ALICE, 10_000n)
    expect(credit.take(BOB, 1n)).toBe(false)
    expect(credit.take(ALICE, 20_001n)).toBe(false)
    expect(credit.take(ALICE, 20_000n)).toBe(true)
    expect(credit.take(ALICE, 1n)).toBe(false)
  })

  it('grows by no payment that was taken on it', () => {
    const credit = new TrustedPayers()
    credit.earn(ALICE, 10_000n)
    for (let call = 0; call < 5; call++) {
      expect(credit.take(ALICE, 10_000n)).toBe(true)
      credit.earn(ALICE, 10_000n)
    }
    expect(credit.take(ALICE, 10_001n)).toBe(false)
  })

  it('is gone after a payment that did not settle', () => {
    const credit = new TrustedPayers()
    credit.earn(ALICE, 50_000n)
    credit.lose(ALICE)
    expect(credit.take(ALICE, 1n)).toBe(false)
  })
})
