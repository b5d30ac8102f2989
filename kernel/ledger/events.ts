/**
 * Events of accounts and of the gateway itself: rows of the outbox, written in the transaction that
 * they report, each sent to the operator's webhook at least once. Every attempt has the same id.
 */
import { atomicToCredits } from '../money.ts'

/** The delivery state of an event: 'unsent' if no instance had a webhook for it. */
export type EventState = 'pending' | 'delivered' | 'unsent' | 'given_up'

export interface AccountEvent {
  id: string
  /** `account.low_balance`, `key.budget_near`, or a plugin's (`plan.past_due`, `upstream.down`). */
  type: string
  at: Date
  /** Null for an event of the gateway itself. */
  accountId: string | null
  /** Its members depend on the type; amounts are numbers of atomic units. */
  body: Readonly<Record<string, unknown>>
}

export interface AccountEventRow extends AccountEvent {
  state: EventState
  attempts: number
  /** Why the latest attempt failed; null after a success. */
  lastError: string | null
  doneAt: Date | null
}

export interface EventPage {
  /** Null: events of any account, and of the gateway itself. */
  accountId: string | null
  /** Events of accounts, or of the gateway itself; default: both. */
  scope?: 'accounts' | 'gateway'
  /** Id of the last event of the previous page. */
  cursor: string | null
  limit: number
}

/** The event as sent (Standard Webhooks, "Payload structure") and shown; amounts in credits. */
export function eventToJson(event: AccountEvent): {
  id: string
  type: string
  timestamp: string
  data: Record<string, unknown>
} {
  const { id, type, at, accountId } = event
  const data = accountId === null ? event.body : { accountId, ...dataOf(event) }
  return { id, type, timestamp: at.toISOString(), data: { ...data } }
}

function dataOf({ type, body }: AccountEvent): Record<string, unknown> {
  const credits = (member: string): number => atomicToCredits(BigInt(Number(body[member] ?? 0)))
  switch (type) {
    case 'account.low_balance':
      return {
        balance: {
          credits: credits('available'),
          heldCredits: credits('held'),
          usdcAtomic: body['available'],
        },
        lowMarkCredits: credits('mark'),
      }
    case 'key.budget_near': {
      const { key, limit, product, endsAt } = body
      return {
        apiKeyId: key,
        limit,
        product: product ?? null,
        capCredits: credits('cap'),
        spentCredits: credits('spent'),
        leftCredits: Math.max(0, credits('left')),
        endsAt,
      }
    }
    default:
      return { ...body }
  }
}
