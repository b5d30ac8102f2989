/** What callers who pay each call buy: an answer, credits for a key, or a plan for it. */
import { newId } from '../../../kernel/ids.ts'
import type { GatewayProcess } from '../../support/gateway.ts'
import { entryLine } from './account-entries.ts'
import { PLAN_CREDITS } from './customer-plan.ts'

export interface PaidOrder {
  path: string
  body: object
  /** Which show who buys it. */
  shown?: Record<string, string>
  /** The key whose account gets what was bought; null: nobody's. */
  keyId: string | null
  /** All that the ledger must have of that account once it is paid. */
  entries: readonly string[]
}
/** A new order at each call; it throws while the gateway is away. */
export type Ware = (gateway: GatewayProcess) => Promise<PaidOrder>

const TOPUP_CREDITS = 5

export const hash: Ware = async () => ({
  path: '/v1/paid/hash',
  body: { input: newId() },
  keyId: null,
  entries: [],
})

export const credits: Ware = async (gateway) => {
  const { id: keyId } = await gateway.key(0)
  return {
    path: '/v1/credits/topup/x402',
    body: { amountUsd: TOPUP_CREDITS / 100, apiKeyId: keyId },
    keyId,
    entries: linesOf(['topup: topup:x402 to available', TOPUP_CREDITS]),
  }
}

/** A month of the plan, for an account that has none. */
export const plan: Ware = async (gateway) => {
  const { id: keyId, key } = await gateway.key(0)
  return {
    path: '/v1/plans/x402',
    body: { plan: 'starter', apiKeyId: keyId },
    shown: { 'x-api-key': key },
    keyId,
    entries: linesOf(
      ['topup: topup:x402 to available', PLAN_CREDITS.price],
      ['adjustment: available to plan:starter', PLAN_CREDITS.price],
      ['topup: plan:starter to available', PLAN_CREDITS.monthly],
    ),
  }
}

const linesOf = (...entries: [string, number][]): string[] =>
  entries.map(([what, amount]) => entryLine(what, amount)!).toSorted()
