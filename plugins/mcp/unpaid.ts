/** Forms of an unpaid result that clients ask for by their capabilities, as rails have them. */
import type { McpUnpaidForm, Offer } from '#kernel'
import { isObject, type Json } from './protocol.ts'

type Form =
  | Extract<McpUnpaidForm, { kind: 'error' }>
  | (Extract<McpUnpaidForm, { kind: 'result' }> & { challenge: object })

/** That of the first offer whose form the capabilities name; null: the usual tool result. */
export function formFor(offers: readonly Offer[], capabilities: Json | null): Form | null {
  if (capabilities === null) return null
  for (const { mcpForm, challenge } of offers) {
    if (!mcpForm || !names(capabilities, mcpForm)) continue
    if (mcpForm.kind === 'error') return mcpForm
    if (challenge) return { ...mcpForm, challenge }
  }
  return null
}

function names(capabilities: Json, { capability: [group, name] }: McpUnpaidForm): boolean {
  const named = Object.hasOwn(capabilities, group) ? capabilities[group] : null
  return isObject(named) && Object.hasOwn(named, name) && isObject(named[name])
}
