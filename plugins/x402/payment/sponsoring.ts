/**
 * Gas for the first approval of Permit2 (x402 extensions eip2612GasSponsoring and
 * erc20ApprovalGasSponsoring): a payer without an allowance signs it beside the payment, and a
 * facilitator that lists the extension brings it to the chain with the settlement, at its own cost.
 */
import { isObject } from '#kernel'
import { PERMIT2 } from './permit2.ts'
import { isSameAddress, type AuthorizationPermit2 } from './wire.ts'

export const SPONSORINGS = ['eip2612GasSponsoring', 'erc20ApprovalGasSponsoring'] as const
export type Sponsoring = (typeof SPONSORINGS)[number]

/** The member of an extension's `info` that the payer signed. */
const SIGNED: Readonly<Record<Sponsoring, string>> = {
  eip2612GasSponsoring: 'signature',
  erc20ApprovalGasSponsoring: 'signedTransaction',
}
const HEX = /^0x(?:[0-9a-fA-F]{2}){1,2048}$/

/** The members of `extensions` in a challenge. Clients look for their names alone. */
export function sponsoringExtensions(offered: readonly Sponsoring[]): Record<string, object> {
  return Object.fromEntries(
    offered.map((name) => [name, { info: { version: '1' }, schema: { type: 'object' } }]),
  )
}

/**
 * Which of these approvals came with a payment, in the echoed `extensions`; null: none for its payer,
 * its token and Permit2. The facilitator judges what was signed.
 */
export function sponsoringIn(
  extensions: unknown,
  { from, token }: AuthorizationPermit2,
  offered: readonly Sponsoring[],
): Sponsoring | null {
  if (!isObject(extensions)) return null
  const isOf = (name: Sponsoring): boolean => {
    const extension = extensions[name]
    const info = isObject(extension) ? extension['info'] : undefined
    if (!isObject(info)) return false
    const signed = info[SIGNED[name]]
    return (
      typeof signed === 'string' &&
      HEX.test(signed) &&
      isAddressOf(info['from'], from) &&
      isAddressOf(info['asset'], token) &&
      isAddressOf(info['spender'], PERMIT2)
    )
  }
  return offered.find(isOf) ?? null
}

function isAddressOf(given: unknown, expected: string): boolean {
  return typeof given === 'string' && isSameAddress(given, expected)
}
