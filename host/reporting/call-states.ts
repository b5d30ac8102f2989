/** What the states of a hold mean to its payer. */
import type { CallOutcomeName } from '#kernel'

const OUTCOMES: Readonly<Record<string, CallOutcomeName>> = {
  authorized: 'open',
  captured: 'charged',
  released: 'uncharged',
  expired: 'uncharged',
  refunded: 'refunded',
}

/** How a call stands whose hold is in this state. */
export function outcomeOf(state: string): CallOutcomeName {
  return OUTCOMES[state] ?? 'open'
}

/** The states that count as this outcome. */
export function statesOf(outcome: CallOutcomeName): string[] {
  return Object.keys(OUTCOMES).filter((state) => OUTCOMES[state] === outcome)
}
