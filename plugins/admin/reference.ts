/** The name under which credits are granted or moved once, and whether it was used for the same before. */
import { type LedgerDesk, type PluginCommandContext } from '#kernel'

export const REFERENCE_MAX = 128
export const REFERENCE_PATTERN = '^[\\x20-\\x7e]+$'

/** Why the option --reference cannot be used; null where it can, or is absent. */
export function referenceProblem({ reference }: PluginCommandContext['options']): string | null {
  if (typeof reference !== 'string') return null
  const isOne = reference.length <= REFERENCE_MAX && new RegExp(REFERENCE_PATTERN).test(reference)
  return isOne ? null : `--reference must be 1 to ${REFERENCE_MAX} printable ASCII characters`
}

/** Whether the row that the reference made before is of this grant. */
export async function wasThisGrant(
  ledger: Pick<LedgerDesk, 'rows'>,
  ledgerId: string,
  order: { accountId: string; keyId?: string; amountAtomic: bigint },
): Promise<boolean> {
  const [row] = await ledger.rows({ ids: [ledgerId], limit: 1 })
  return (
    row !== undefined &&
    row.accountId === order.accountId &&
    row.keyId === (order.keyId ?? null) &&
    row.amountAtomic === order.amountAtomic
  )
}
