/** Accounts, keys and orders for whoever tries the ledger: races, histories, chaos and benches. */
import { newId } from '../../kernel/ids.ts'
import { accounts } from '../../kernel/ledger/accounts.ts'
import type { AuthorizeOrder, Hold, Ledger, Spender } from '../../kernel/ledger/contract.ts'
import type { SqlClient } from '../../kernel/storage/contract.ts'

/** Budgets of one scope; null is no budget. */
export interface Caps {
  call: bigint | null
  day: bigint | null
  month: bigint | null
}
export const NO_CAPS: Caps = { call: null, day: null, month: null }

export interface AccountOptions {
  /** Keys on the account; default 1. */
  keys?: number
  amountAtomic?: bigint
  /** Budgets of every key, over all products. */
  caps?: Partial<Caps>
  lowMarkAtomic?: bigint
}

/** A new account with `keys` keys on it; returns who may spend. */
export async function openAccount(
  sql: SqlClient,
  ledger: Ledger,
  { keys = 1, amountAtomic = 0n, caps, lowMarkAtomic }: AccountOptions = {},
): Promise<[Spender, ...Spender[]]> {
  const accountId = newId()
  const spenders = Array.from({ length: keys }, (_, i) => ({
    accountId,
    keyId: `key_${accountId.slice(-12)}_${i}`,
  }))
  await sql.begin(async (tx) => {
    await accounts.open(tx, { accountId, mode: 'test', lowMarkAtomic: lowMarkAtomic ?? null })
    for (const spender of spenders) {
      await accounts.addKey(tx, spender)
      if (caps) await accounts.setBudget(tx, spender, '*', { ...NO_CAPS, ...caps })
    }
  })
  if (amountAtomic > 0n) {
    const grant = { source: 'sandbox', reference: `grant-${accountId}`, kind: 'grant' as const }
    await ledger.credit({ accountId, amountAtomic, ...grant })
  }
  return spenders as [Spender, ...Spender[]]
}

/** A call of `amountAtomic`, made by that key. */
export function callOf(
  spender: Spender,
  amountAtomic: bigint,
  rest: Partial<AuthorizeOrder> = {},
): AuthorizeOrder {
  return {
    holdId: newId(),
    ...spender,
    requestId: newId(),
    skillId: 'demo.echo',
    productId: 'demo',
    path: '/v1/paid/echo',
    amountAtomic,
    ttlMs: 60_000,
    scope: 'call',
    ...rest,
  }
}

/** The hold of an order that must be authorized. */
export async function heldCall(ledger: Ledger, order: AuthorizeOrder): Promise<Hold> {
  const result = await ledger.authorize(order)
  if (result.outcome !== 'authorized') throw new Error(`not authorized: ${result.outcome}`)
  return result.hold
}

/** Sets one scope's budgets, in a transaction of its own as an operator's request does. */
export async function setBudget(
  sql: SqlClient,
  spender: Spender,
  scope: string,
  caps: Partial<Caps>,
): Promise<void> {
  await sql.begin((tx) => accounts.setBudget(tx, spender, scope, { ...NO_CAPS, ...caps }))
}
