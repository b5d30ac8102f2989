/** What a provider takes back of a checkout, by a refund or a dispute, and sometimes gives back. */
import type { TestReversal } from '../../support/topup.ts'
import type { Customer } from './customer.ts'
import { tell, type Street } from './insist.ts'

/** Cents of a part of the price: as many credits. The whole price is more than most have left. */
const PARTS = [50, 100, 200] as const
const WHOLE = 750
const FAILED = { status: 'failed' }
const WON = {
  provider_a: { status: 'resolved', resolution: 'declined' },
  provider_b: { status: 'won' },
} as const

/** One reversal of the customer's checkout, from its first callback to its last. */
export async function reverse(street: Street, customer: Customer): Promise<void> {
  const { random } = street
  const { provider, reference } = customer.checkout
  // What a hold ties up cannot be taken: how much that is, only its end tells.
  const isWhole = !customer.mayHold && random.chance(0.3)
  const amountMinor = isWhole ? WHOLE : random.pick(PARTS)
  const booked = (kind: TestReversal['kind'], bend: Partial<TestReversal> = {}): TestReversal =>
    provider.reverse(reference, kind, { amountMinor, ...bend })
  const toldOf = (reversal: TestReversal): Promise<void> =>
    tell(street, provider, (wire) => provider.reversalEvent(reversal, wire))
  const won = (dispute: TestReversal): void => void Object.assign(dispute, WON[provider.id])

  const ends = [
    'refunded',
    'refund fails',
    'disputed',
    'won',
    'won meanwhile',
    'won before',
  ] as const
  switch (random.pick(provider.id === 'provider_a' ? [...ends, 'settled'] : ends)) {
    case 'refunded': {
      await toldOf(booked('refund'))
      customer.takenBack('checkouts refunded by the provider', amountMinor)
      return
    }
    case 'refund fails': {
      const refund = booked('refund')
      await toldOf(refund)
      const taken = customer.takenBack('checkouts refunded by the provider', amountMinor)
      Object.assign(refund, FAILED)
      await toldOf(refund)
      customer.givenBack('refunds that failed', taken)
      return
    }
    case 'disputed': {
      await toldOf(booked('dispute'))
      customer.takenBack('disputes', amountMinor)
      return
    }
    case 'settled': {
      // Both are about the same money, in whichever order their callbacks come.
      const dispute = booked('dispute')
      const both = [dispute, booked('refund', { dispute: dispute.id })]
      if (random.chance(0.5)) both.reverse()
      for (const one of both) await toldOf(one)
      customer.takenBack('disputes', amountMinor)
      customer.deeds.push('disputes settled by a refund')
      return
    }
    case 'won': {
      const dispute = booked('dispute')
      await toldOf(dispute)
      const taken = customer.takenBack('disputes', amountMinor)
      won(dispute)
      await toldOf(dispute)
      customer.givenBack('disputes won', taken)
      return
    }
    case 'won meanwhile': {
      const dispute = booked('dispute')
      const told = toldOf(dispute)
      won(dispute)
      await Promise.all([told, toldOf(dispute)])
      customer.perhapsTakenAndGivenBack(amountMinor)
      customer.deeds.push('disputes', 'disputes won')
      return
    }
    case 'won before': {
      const dispute = booked('dispute')
      won(dispute)
      await toldOf(dispute)
      customer.deeds.push('disputes', 'disputes won')
    }
  }
}
