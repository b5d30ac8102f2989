/** The gateway's own account on chain: signs with its key, and talks to the node about its nonces. */
import { keccak256, type Address, type Hex, type PrivateKeyAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Chain } from './chain.ts'
import type { Fees } from './fees.ts'
import { fullMessageOf, isAnswerLost, isKnown } from './node-errors.ts'

export interface UnsignedTransaction {
  nonce: number
  to: Hex
  data: Hex
  /** Gas limit. */
  gas: bigint
}

export type Broadcast =
  | { kind: 'accepted' }
  /** The node's answer was lost: it may have the transaction. */
  | { kind: 'lost' }
  | { kind: 'refused'; refusal: string }

export class Account {
  readonly #chain: Chain
  readonly #chainId: number
  readonly #key: PrivateKeyAccount

  /** `key`: 0x and 64 hex digits. */
  constructor(chain: Chain, chainId: number, key: Hex) {
    this.#chain = chain
    this.#chainId = chainId
    this.#key = privateKeyToAccount(key)
  }

  get address(): Address {
    return this.#key.address
  }

  /** The hash that a transaction with these fees has: signing is deterministic. */
  async hashOf(transaction: UnsignedTransaction, fees: Fees): Promise<Hex> {
    return keccak256(await this.#sign(transaction, fees))
  }

  /** Sends a transaction to the node; one that the node has already counts as accepted. */
  async broadcast(transaction: UnsignedTransaction, fees: Fees): Promise<Broadcast> {
    const serializedTransaction = await this.#sign(transaction, fees)
    try {
      await this.#chain.client.sendRawTransaction({ serializedTransaction })
      return { kind: 'accepted' }
    } catch (error) {
      const refusal = fullMessageOf(error)
      if (isAnswerLost(refusal)) return { kind: 'lost' }
      return isKnown(refusal) ? { kind: 'accepted' } : { kind: 'refused', refusal }
    }
  }

  /** The account's next nonce by mined blocks ('latest'), or behind all that the node knows of. */
  count(blockTag: 'latest' | 'pending'): Promise<number> {
    return this.#chain.client.getTransactionCount({ address: this.address, blockTag })
  }

  #sign({ nonce, to, data, gas }: UnsignedTransaction, fees: Fees): Promise<Hex> {
    const chainId = this.#chainId
    return this.#key.signTransaction({ type: 'eip1559', chainId, to, data, gas, nonce, ...fees })
  }
}
