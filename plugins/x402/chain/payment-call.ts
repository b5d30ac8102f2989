/**
 * The contract call that settles a payment: of the token (EIP-3009), or of the x402 proxy that has
 * Permit2 move the token; and how the second is recognised on chain.
 */
import { x402ExactPermit2ProxyABI, x402UptoPermit2ProxyABI } from '@x402/evm'
import { encodeFunctionData, parseSignature, type Address, type Hex } from 'viem'
import { amountOf, type Signed3009, type SignedPermit2 } from '../payment/payload.ts'
import { PROXY, type Permit2Scheme } from '../payment/permit2.ts'
import { TOKEN_ABI } from './token.ts'

export function schemeOf({ requirements }: SignedPermit2): Permit2Scheme {
  return requirements.scheme === 'upto' ? 'upto' : 'exact'
}

export interface ProxyCall {
  to: Address
  data: Hex
  /** Who must send it; null = anybody. */
  caller: Address | null
}

/** Input of the token's call: v, r, s for a plain signature, which old tokens need, else bytes. */
export function callData(payment: Signed3009): Hex {
  const { signature, authorization } = payment.payload
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const common = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce] as const
  const functionName = 'transferWithAuthorization'
  if (signature.length !== 132) {
    return encodeFunctionData({ abi: TOKEN_ABI, functionName, args: [...common, signature] })
  }
  const { r, s, yParity } = parseSignature(signature)
  const args = [...common, 27 + yParity, r, s] as const
  return encodeFunctionData({ abi: TOKEN_ABI, functionName, args })
}

/** The proxy's call that settles a payment by Permit2. */
export function proxyCall(payment: SignedPermit2): ProxyCall {
  const { signature, permit2Authorization } = payment.payload
  const { from, permitted, nonce, deadline, witness } = permit2Authorization
  const permit = {
    permitted: { token: permitted.token, amount: BigInt(permitted.amount) },
    nonce: BigInt(nonce),
    deadline: BigInt(deadline),
  }
  const validAfter = BigInt(witness.validAfter)
  const scheme = schemeOf(payment)
  if (scheme === 'exact' || witness.facilitator === undefined) {
    const data = encodeFunctionData({
      abi: x402ExactPermit2ProxyABI,
      functionName: 'settle',
      args: [permit, from, { to: witness.to, validAfter }, signature],
    })
    return { to: PROXY.exact, data, caller: null }
  }
  const { to, facilitator } = witness
  const data = encodeFunctionData({
    abi: x402UptoPermit2ProxyABI,
    functionName: 'settle',
    args: [permit, amountOf(payment), from, { to, facilitator, validAfter }, signature],
  })
  return { to: PROXY.upto, data, caller: facilitator }
}

/**
 * How many calls for the payer, receiver and amount of `payment` the input of a transaction holds; 0
 * unless one of them is of `payment` itself, by its nonce. The ABI words are the same in `settle` and
 * `settleWithPermit`, and inside the call of a contract that settles many.
 */
export function callsLike(payment: SignedPermit2, input: Hex): number {
  const { from, permitted, nonce, deadline, witness } = payment.payload.permit2Authorization
  const paid = [
    ...(schemeOf(payment) === 'upto' ? [wordOf(amountOf(payment))] : []),
    wordOf(from),
    wordOf(witness.to),
  ].join('')
  const head = wordOf(permitted.token) + wordOf(BigInt(permitted.amount))
  const own = head + wordOf(BigInt(nonce)) + wordOf(BigInt(deadline)) + paid
  const data = input.toLowerCase()
  if (!data.includes(own)) return 0
  // Nonce and deadline differ, and with upto what was permitted.
  const between = schemeOf(payment) === 'upto' ? 3 : 2
  const fixed = schemeOf(payment) === 'upto' ? wordOf(permitted.token) : head
  const pattern = new RegExp(`(?=${fixed}[0-9a-f]{${between * 64}}${paid})`, 'g')
  return data.match(pattern)?.length ?? 0
}

function wordOf(value: Hex | bigint): string {
  const digits = typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()
  return digits.padStart(64, '0')
}
