/**
 * The questions that the gateway asks its Solana node (JSON-RPC over HTTP, https://solana.com/docs/rpc).
 * Each has a time limit, and after failures in a row none is asked for a while.
 */
import { Breaker, isObject, parseJson } from '#kernel'
import { limitedText, noAnswerText, nodeFetch } from '../settle/endpoint-fetch.ts'

/** The node gave no answer that can be read; it may have acted. */
export class NodeSilent extends Error {}
/** The node answered with an error, and did not act. */
export class NodeRefusal extends Error {}

/** What became of a transaction; `err` is null for a success. */
export interface SignatureStatus {
  isConfirmed: boolean
  err: unknown
}

export interface SolanaAccount {
  /** Base58 key of the programme that owns it. */
  owner: string
  data: Buffer
  lamports: bigint
}

export interface SolanaRpcOptions {
  url: string
  timeoutMs?: number
  breaker?: { failures: number; resetMs: number }
}

const TIMEOUT_MS = 10_000
const BREAKER = { failures: 5, resetMs: 5000 }
/** Transactions of an account, with memos of any length, which their senders choose. */
const PAGE = 100
const MOST_PAGES = 50
const MAX_PAGE_BYTES = 2_097_152

export class SolanaRpc {
  readonly #options: SolanaRpcOptions
  readonly #breaker: Breaker

  constructor(options: SolanaRpcOptions) {
    this.#options = options
    this.#breaker = new Breaker(options.breaker ?? BREAKER)
  }

  /** Base58; its first 32 characters name the network in CAIP-2. */
  async genesisHash(): Promise<string> {
    return textOf(await this.#ask('getGenesisHash', []))
  }

  /** Null where there is none. */
  async account(address: string): Promise<SolanaAccount | null> {
    const options = { encoding: 'base64', commitment: 'confirmed' }
    const value = valueOf(await this.#ask('getAccountInfo', [address, options]))
    if (value === null) return null
    const { owner, data, lamports } = membersOf(value)
    const encoded = Array.isArray(data) ? data[0] : null
    return {
      owner: textOf(owner),
      data: Buffer.from(textOf(encoded), 'base64'),
      lamports: integerOf(lamports),
    }
  }

  /** The last block in which the newest blockhash that the node knows may be used. */
  async lastValidBlockHeight(): Promise<bigint> {
    const value = valueOf(await this.#ask('getLatestBlockhash', [{ commitment: 'processed' }]))
    return integerOf(membersOf(value)['lastValidBlockHeight'])
  }

  /** Where the chain stands for good: nothing before this slot and height will change. */
  async finalized(): Promise<{ slot: bigint; blockHeight: bigint }> {
    const info = membersOf(await this.#ask('getEpochInfo', [{ commitment: 'finalized' }]))
    return { slot: integerOf(info['absoluteSlot']), blockHeight: integerOf(info['blockHeight']) }
  }

  /** The error that the transaction would have now, signatures aside; null for a success. */
  async simulate(transaction: string): Promise<{ err: unknown }> {
    const options = { encoding: 'base64', commitment: 'processed', sigVerify: false }
    const value = valueOf(await this.#ask('simulateTransaction', [transaction, options]))
    return { err: membersOf(value)['err'] ?? null }
  }

  /** Hands it to the network without a look at it; sending it again changes nothing. */
  async send(transaction: string): Promise<void> {
    await this.#ask('sendTransaction', [transaction, { encoding: 'base64', skipPreflight: true }])
  }

  /** Null while the node knows of no such transaction, as of `slot`. */
  async status(signature: string): Promise<{ slot: bigint; status: SignatureStatus | null }> {
    const params = [[signature], { searchTransactionHistory: true }]
    const answer = membersOf(await this.#ask('getSignatureStatuses', params))
    const slot = integerOf(membersOf(answer['context'])['slot'])
    const list = answer['value']
    const found: unknown = Array.isArray(list) ? list[0] : undefined
    if (found === undefined) throw new NodeSilent('getSignatureStatuses has no value')
    if (found === null) return { slot, status: null }
    const { confirmationStatus, err = null } = membersOf(found)
    const isConfirmed = confirmationStatus === 'confirmed' || confirmationStatus === 'finalized'
    return { slot, status: { isConfirmed, err } }
  }

  /**
   * The confirmed transactions that name the account, newest first, back to the slot `since`; throws
   * where the node is behind the slot `until`, and where there are too many to look at.
   */
  async *signaturesOf(
    address: string,
    { since, until }: { since: bigint; until: bigint },
  ): AsyncGenerator<{ signature: string; err: unknown }> {
    const options = { commitment: 'confirmed', limit: PAGE, minContextSlot: Number(until) }
    let before: string | undefined
    for (let page = 0; page < MOST_PAGES; page++) {
      const params = [address, { ...options, ...(before !== undefined && { before }) }]
      const list = await this.#ask('getSignaturesForAddress', params, MAX_PAGE_BYTES)
      if (!Array.isArray(list)) throw new NodeSilent('getSignaturesForAddress has no list')
      for (const entry of list as unknown[]) {
        const { signature, slot, err = null } = membersOf(entry)
        if (integerOf(slot) < since) return
        before = textOf(signature)
        yield { signature: before, err }
      }
      if (list.length < PAGE) return
    }
    throw new NodeSilent(`${address} has more transactions than are looked at`)
  }

  async #ask(method: string, params: readonly unknown[], maxBytes?: number): Promise<unknown> {
    const { url, timeoutMs = TIMEOUT_MS } = this.#options
    const admission = this.#breaker.admit()
    if (!admission.ok) throw new NodeRefusal('the node did not answer lately')
    const { ticket } = admission
    try {
      const response = await nodeFetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const text = await limitedText(response, maxBytes)
      const parsed = text === null ? null : parseJson(text)
      if (!parsed?.ok || !isObject(parsed.value)) {
        throw new NodeSilent(`${method}: answers ${response.status}`)
      }
      const { error, result } = parsed.value
      ticket.success()
      if (error !== undefined && error !== null)
        throw new NodeRefusal(`${method}: ${messageIn(error)}`)
      return result
    } catch (error) {
      ticket.failure()
      if (error instanceof NodeRefusal || error instanceof NodeSilent) throw error
      throw new NodeSilent(`${method}: ${noAnswerText(error, timeoutMs)}`)
    }
  }
}

/** The short text of a failed question, which never has the node's URL. */
export function nodeTrouble(error: unknown): string {
  return error instanceof NodeSilent || error instanceof NodeRefusal
    ? error.message
    : 'the node answers something else than Solana'
}

function valueOf(answer: unknown): unknown {
  const { value } = membersOf(answer)
  return value
}

function membersOf(value: unknown): Record<string, unknown> {
  if (!isObject(value)) throw new NodeSilent('an object is missing in the answer')
  return value
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new NodeSilent('a text is missing in the answer')
  return value
}

function integerOf(value: unknown): bigint {
  if (!Number.isInteger(value)) throw new NodeSilent('a number is missing in the answer')
  return BigInt(value as number)
}

function messageIn(error: unknown): string {
  const { message } = isObject(error) ? error : {}
  return typeof message === 'string' ? message.split('\n')[0]!.slice(0, 160) : 'an error'
}
