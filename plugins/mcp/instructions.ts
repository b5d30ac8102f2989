/** What a host shows its model about this server: how to pay, retry and not pay twice. */
import type { ShownRail } from './rails.ts'
import { META_IDEMPOTENCY_KEY } from './idempotency.ts'

/** The text; `rails` in the order it names them. */
export function instructionsOf(publicUrl: string, rails: readonly ShownRail[]): string {
  const ways = rails.flatMap((rail) => rail.documents?.().mcpInstructions ?? [])
  return `Every tool does one piece of machine work and is paid per successful call; its price stands in its description and in _meta["coinop/price"]. 1 credit = USD 0.01. Listing, prompts and resources are free.

Paying: ${ways.join(', or ')}.

Retrying: a failed call costs nothing. Before a call that must not be paid twice, choose an idempotency key and send it as _meta["${META_IDEMPOTENCY_KEY}"]; send the same key with the same arguments again after a timeout or a lost connection, and the first result comes back without a second charge. Retry unchanged only when error.retryable is true.

Cost: _meta["coinop/call"] of every result says what it charged, the balance left, and the requestId to quote in questions.

Hosts that refuse dots in tool names can use ${publicUrl}/mcp?names=underscore.`
}
