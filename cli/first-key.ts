/** A sandbox's first key, so that a newcomer can buy a call at once. */
import type { Foundation } from '../kernel/compose/foundation.ts'
import { ATOMIC_PER_CREDIT } from '../kernel/money.ts'

const CREDITS = 1000

/** A test key with credits when the sandbox's database holds no key yet, else null. */
export async function makeFirstKey(
  foundation: Pick<Foundation, 'keys' | 'ledger'>,
): Promise<{ key: string; credits: number } | null> {
  const { records } = await foundation.keys.list({ kind: 'key', limit: 1, cursor: null })
  if (records.length > 0) return null
  const { record, plaintext } = await foundation.keys.create({ name: 'first key', mode: 'test' })
  await foundation.ledger.credit({
    accountId: record.accountId,
    keyId: record.id,
    amountAtomic: BigInt(CREDITS) * ATOMIC_PER_CREDIT,
    source: 'sandbox',
    reference: `first-key:${record.id}`,
    kind: 'grant',
    note: 'first start of the sandbox',
  })
  return { key: plaintext, credits: CREDITS }
}
