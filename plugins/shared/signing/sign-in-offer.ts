/** What a 402 offers to wallets that sign in (x402 v2, extension sign-in-with-x). */

export interface SupportedChain {
  /** CAIP-2. */
  chainId: string
  type: 'eip191' | 'ed25519'
}

export interface SignInOffer {
  info: {
    domain: string
    uri: string
    version: string
    nonce: string
    issuedAt: string
    expirationTime: string
    statement: string
    resources: readonly string[]
  }
  supportedChains: readonly SupportedChain[]
}
