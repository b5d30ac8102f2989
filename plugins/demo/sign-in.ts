/** A wallet that signs in to spend its credits: what a client of x402's sign-in-with-x does, in short. */
import type { PrivateKeyAccount } from 'viem/accounts'
import { assert } from '#kernel'
import { signInText } from '../shared/signing/sign-in-message.ts'
import type { SignInOffer } from '../shared/signing/sign-in-offer.ts'

/** The header that signs in for the place of a 402; null: it offers no sign-in. */
export async function proofFor(
  unpaid: Headers,
  account: PrivateKeyAccount,
): Promise<Record<string, string> | null> {
  const required = JSON.parse(atob(unpaid.get('payment-required') ?? 'e30='))
  const offered = required.extensions?.['sign-in-with-x'] as SignInOffer | undefined
  const chain = offered?.supportedChains.find(({ type }) => type === 'eip191')
  if (!offered || !chain) return null
  const { info } = offered
  const { address } = account
  const message = signInText({
    ...info,
    namespace: 'eip155',
    chainReference: chain.chainId.slice('eip155:'.length),
    address,
    notBefore: null,
    requestId: null,
  })
  assert(message !== null, 'an offer of one line each')
  const signature = await account.signMessage({ message })
  return { 'sign-in-with-x': btoa(JSON.stringify({ ...info, ...chain, address, signature })) }
}
