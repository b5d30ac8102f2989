/**
 * Signatures of contract accounts (EIP-1271). Of payments, only one that is right but for its
 * signature is looked up, and at most so many a second: an untrusted caller cannot spend the node's
 * quota.
 */
import { LRUCache } from 'lru-cache'
import {
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  isErc6492Signature,
  parseAbi,
  type Address,
  type Hex,
} from 'viem'
import type { PublicClient } from './client.ts'
import { fullMessageOf, isAnswerLost } from './node-errors.ts'
import { MOST_PAYMENT_GAS } from './token.ts'

const ABI = parseAbi([
  'function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)',
])
const VALID = '0x1626ba7e'
/** A wallet that was deployed meanwhile is seen after this. */
const CODE_KEPT_MS = 60_000
const LOOKUPS_PER_SECOND = 50
/** For the deployment of a wallet and its answer. */
const MOST_DEPLOYMENT_GAS = 5_000_000n

export class ContractWallets {
  readonly #client: PublicClient
  readonly #asking: PublicClient
  readonly #lookups = new RpcQuota(LOOKUPS_PER_SECOND)
  /** Of messages, which cost nothing to sign: they leave the look-ups of payments alone. */
  readonly #messages = new RpcQuota(LOOKUPS_PER_SECOND / 2)
  readonly #hasCode = new LRUCache<Address, boolean>({ max: 10_000, ttl: CODE_KEPT_MS })

  /**
   * `asking` calls the contracts, which anybody deploys: it is to send each call alone and to read no
   * answer of any length.
   */
  constructor(client: PublicClient, asking: PublicClient) {
    this.#client = client
    this.#asking = asking
  }

  /** Whether `payer` is a contract that accepts the signature; null when the node gives no answer. */
  async isSignedBy(payer: Address, digest: Hex, signature: Hex): Promise<boolean | null> {
    const isContract = await this.#isContract(payer, this.#lookups)
    if (isContract !== true) return isContract
    return this.#accepts(payer, digest, signature)
  }

  async #accepts(payer: Address, digest: Hex, signature: Hex): Promise<boolean | null> {
    const asked = { abi: ABI, functionName: 'isValidSignature' } as const
    const data = encodeFunctionData({ ...asked, args: [digest, signature] })
    try {
      const { data: answer = '0x' } = await this.#asking.call({
        to: payer,
        data,
        gas: MOST_PAYMENT_GAS,
      })
      return decodeFunctionResult({ ...asked, data: answer }) === VALID
    } catch (error) {
      return isAnswerLost(fullMessageOf(error)) ? null : false
    }
  }

  /**
   * The same of a message that costs its sender nothing, so that every look-up counts; and of a wallet
   * that may not be deployed yet, whose signature says how it would be (ERC-6492). Its client need not know
   * whether it is.
   */
  async hasSigned(address: Address, digest: Hex, signature: Hex): Promise<boolean | null> {
    if (!this.#messages.take()) return null
    if (isErc6492Signature(signature)) return this.#wouldAccept(address, digest, signature)
    const isContract = await this.#isContract(address, this.#messages)
    return isContract && this.#accepts(address, digest, signature)
  }

  /** Asks the universal validator, which runs a missing deployment within its call and changes nothing. */
  async #wouldAccept(address: Address, digest: Hex, signature: Hex): Promise<boolean | null> {
    const data = encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      args: [address, digest, signature],
      bytecode: erc6492SignatureValidatorByteCode,
    })
    try {
      const { data: answer } = await this.#asking.call({ data, gas: MOST_DEPLOYMENT_GAS })
      return answer !== undefined && BigInt(answer) === 1n
    } catch (error) {
      return isAnswerLost(fullMessageOf(error)) ? null : false
    }
  }

  /** Whether there is code at the address of a payer whose signature is good; throws without the node. */
  async isContract(address: Address): Promise<boolean> {
    const known = this.#hasCode.get(address)
    if (known !== undefined) return known
    const code = await this.#client.getCode({ address })
    const isContract = code !== undefined && code !== '0x'
    this.#hasCode.set(address, isContract)
    return isContract
  }

  /** The same for anybody; cached, so that a flood of bad signatures asks once. Null without an answer. */
  async #isContract(address: Address, lookups: RpcQuota): Promise<boolean | null> {
    if (!this.#hasCode.has(address) && !lookups.take()) return null
    return this.isContract(address).catch(() => null)
  }
}

/** At most so many requests to the node in each second of the clock. */
export class RpcQuota {
  readonly #perSecond: number
  readonly #now: () => number
  #second = 0
  #used = 0

  constructor(perSecond: number, now: () => number = Date.now) {
    this.#perSecond = perSecond
    this.#now = now
  }

  /** Takes one; false when this second's are gone. */
  take(): boolean {
    const second = Math.floor(this.#now() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#used = 0
    }
    return ++this.#used <= this.#perSecond
  }
}
