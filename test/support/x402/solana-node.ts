/**
 * A Solana node for tests: litesvm behind the part of the JSON-RPC that clients, facilitators and the
 * gateway use. It answers as a real node with `skipPreflight` does: whatever is sent gets its
 * signature, and only the statuses tell what became of it.
 */
import { createRequire } from 'node:module'
import type { LiteSVM } from 'litesvm'
import { decodeBase58, encodeBase58 } from '../../../plugins/shared/signing/base58.ts'
import { isObject } from '../../../kernel/schema/json.ts'
import { TOKEN_PROGRAM } from '../../../plugins/x402/solana/programs.ts'
import { tokenAccountOf } from '../../../plugins/x402/solana/token-account.ts'
import { skipPart } from '../skips.ts'
import { USDC_MINT } from './solana-payments.ts'

export const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
/** Genesis hash of the main network, whose first 32 characters are its CAIP-2 reference. */
const GENESIS_HASH = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
/** A blockhash may be used for so many blocks. */
const BLOCKHASH_BLOCKS = 150n
const DECIMALS = 6

/** What the node does with the next transaction that is sent, instead of its work. */
export type SendFault =
  /** Gives its signature and forgets it. */
  | 'drop'
  /** It lands, and the answer breaks off. */
  | 'lose'
  /** It lands, and no status shows it until `reveal()`. */
  | 'hide'
  | '503'

export interface SolanaNode {
  url: string
  faults: SendFault[]
  /** How often each method was asked. */
  asked: Map<string, number>
  /** Methods that answer 503 while they are in here. */
  down: Set<string>
  /** Gives `owner` a token account with so much USDC, and what an account needs to live. */
  fund(owner: string, amountAtomic: bigint): string
  /** Puts an account there, of this programme. */
  plant(address: string, program: string, data: Uint8Array): void
  /** Makes an address able to pay the network's fees. */
  giveLamports(address: string, lamports?: bigint): void
  lamportsOf(address: string): bigint
  /** Leaves so much of what an address has. */
  leaveLamports(address: string, lamports: bigint): void
  /** USDC of the owner's token account, in atomic units. */
  balanceOf(owner: string): bigint
  /** The newest one. */
  blockhash(): string
  /** So many blocks go by; blockhashes of before 150 blocks are worth nothing then. */
  pass(blocks: bigint): void
  /** Shows what was hidden. */
  reveal(): void
  /** Signatures of what landed without an error. */
  landed(): string[]
  /** Those transactions, in base64, by their signatures. */
  wires(): [signature: string, wire: string][]
  stop(): Promise<void>
}

type LiteSvm = typeof import('litesvm')
type Kit = typeof import('@solana/kit')

let loaded: { svm: LiteSvm; kit: Kit } | { reason: string } | null = null

/** litesvm with the @solana/kit that it brings; or why it does not load on this machine. */
function load(): { svm: LiteSvm; kit: Kit } | { reason: string } {
  if (loaded) return loaded
  try {
    const require = createRequire(import.meta.url)
    const svm = require('litesvm') as LiteSvm
    const kit = createRequire(require.resolve('litesvm'))('@solana/kit') as Kit
    loaded = { svm, kit }
  } catch (error) {
    loaded = { reason: `litesvm does not load: ${(error as Error).message.split('\n')[0]}` }
  }
  return loaded
}

/** Why litesvm cannot run here; null: it can. */
export function missingForSolana(): string | null {
  const found = load()
  return 'reason' in found ? found.reason : null
}

/** Whether litesvm cannot run here; then the end of the run says that this part was skipped. */
export function withoutSolana(part: string): boolean {
  const reason = missingForSolana()
  return reason !== null && skipPart(part, reason)
}

interface Landed {
  slot: number
  /** The JSON of the error; null without one. */
  err: unknown
  wire: string
  /** Accounts of the transaction, base58. */
  accounts: string[]
  isHidden: boolean
}

/** A node with USDC's mint; call it only where `withoutSolana` is false. */
export function startSolanaNode(): SolanaNode {
  const found = load()
  if ('reason' in found) throw new Error(found.reason)
  const { kit } = found
  const { FailedTransactionMetadata } = found.svm
  const svm: LiteSVM = new found.svm.LiteSVM()
  const landed = new Map<string, Landed>()
  /** The last block in which each blockhash is good. */
  let lastValid = svm.getClock().slot + BLOCKHASH_BLOCKS
  const slot = () => Number(svm.getClock().slot)
  const value = (v: unknown) => ({ context: { slot: slot(), apiVersion: '2.0.0' }, value: v })
  const decode = (text: string) => kit.getTransactionDecoder().decode(Buffer.from(text, 'base64'))
  const address = (text: string) => text as never
  const errorOf = (result: object): unknown => {
    if (!(result instanceof FailedTransactionMetadata)) return null
    const text = result.toString()
    const name = /err: (\w+)/.exec(text)?.[1] ?? 'Unknown'
    return name === 'InstructionError' ? { InstructionError: [0, { Custom: 1 }] } : name
  }
  const account = (owner: string, data: Uint8Array, at: string) =>
    svm.setAccount({
      address: address(at),
      programAddress: address(owner),
      data,
      executable: false,
      lamports: svm.minimumBalanceForRentExemption(BigInt(data.length)) as never,
      space: BigInt(data.length),
    })

  const mint = new Uint8Array(82)
  mint[44] = DECIMALS
  mint[45] = 1
  account(TOKEN_PROGRAM, mint, USDC_MINT)

  function send(text: string): string {
    const transaction = decode(text)
    const [first] = Object.values(transaction.signatures)
    const signature = encodeBase58(Uint8Array.from(first ?? new Uint8Array(64)))
    const fault = node.faults.shift()
    if (fault === '503') throw new Error('503')
    if (fault === 'drop' || landed.has(signature)) return signature
    const result = svm.sendTransaction(transaction as never)
    const err = errorOf(result)
    // Nobody puts into a block what is too old, unsigned or there already.
    if (err !== null && !isObject(err)) return signature
    const compiled = kit.getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
    landed.set(signature, {
      slot: slot(),
      err,
      wire: text,
      accounts: compiled.staticAccounts.map(String),
      isHidden: fault === 'hide' || fault === 'lose',
    })
    if (fault === 'lose') throw new Error('503')
    return signature
  }

  const visible = (signature: string): Landed | null => {
    const entry = landed.get(signature)
    return entry && !entry.isHidden ? entry : null
  }

  const methods: Record<string, (params: string[]) => unknown> = {
    getGenesisHash: () => GENESIS_HASH,
    getLatestBlockhash: () =>
      value({ blockhash: svm.latestBlockhash(), lastValidBlockHeight: Number(lastValid) }),
    getEpochInfo: () => ({ absoluteSlot: slot(), blockHeight: slot() }),
    getAccountInfo([at]) {
      const found = svm.getAccount(address(at!))
      return value(
        found.exists
          ? {
              data: [Buffer.from(found.data).toString('base64'), 'base64'],
              executable: found.executable,
              lamports: Number(found.lamports),
              owner: found.programAddress,
              rentEpoch: 0,
              space: found.data.length,
            }
          : null,
      )
    },
    simulateTransaction([text, options]) {
      const { sigVerify } = (options ?? {}) as unknown as { sigVerify?: boolean }
      if (!sigVerify) svm.withSigverify(false)
      try {
        const result = svm.simulateTransaction(decode(text!) as never)
        const meta = result.meta()
        return value({
          err: errorOf(result),
          logs: meta.logs(),
          unitsConsumed: Number(meta.computeUnitsConsumed()),
          accounts: null,
          returnData: null,
        })
      } finally {
        svm.withSigverify(true)
      }
    },
    sendTransaction: ([text]) => send(text!),
    getSignatureStatuses: ([list]) =>
      value(
        (list as unknown as string[]).map((signature) => {
          const entry = visible(signature)
          if (!entry) return null
          const status = entry.err === null ? { Ok: null } : { Err: entry.err }
          const { slot, err } = entry
          return { slot, confirmations: null, err, status, confirmationStatus: 'finalized' }
        }),
      ),
    getSignaturesForAddress: ([at]) =>
      [...landed]
        .filter(([signature, { accounts }]) => visible(signature) && accounts.includes(at!))
        .toReversed()
        .map(([signature, { slot, err }]) => ({
          signature,
          slot,
          err,
          memo: null,
          blockTime: null,
        })),
    getTransaction([signature]) {
      const entry = visible(signature!)
      if (!entry) return null
      const { slot, err, wire } = entry
      return { slot, transaction: [wire, 'base64'], meta: { err }, version: 0, blockTime: null }
    },
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const {
        id,
        method,
        params = [],
      } = (await request.json()) as {
        id: unknown
        method: string
        params?: string[]
      }
      node.asked.set(method, (node.asked.get(method) ?? 0) + 1)
      if (node.down.has(method)) return new Response('busy', { status: 503 })
      try {
        const answer = methods[method]
        if (!answer) throw new Error(`no method ${method}`)
        return Response.json({ jsonrpc: '2.0', id, result: answer(params) })
      } catch (error) {
        const { message } = error as Error
        if (message === '503') return new Response('busy', { status: 503 })
        return Response.json({ jsonrpc: '2.0', id, error: { code: -32002, message } })
      }
    },
  })

  const node: SolanaNode = {
    url: `http://127.0.0.1:${server.port}`,
    faults: [],
    asked: new Map(),
    down: new Set(),
    fund(owner, amountAtomic) {
      const at = tokenAccountOf(owner, USDC_MINT, TOKEN_PROGRAM)
      const data = Buffer.alloc(165)
      data.set(decodeBase58(USDC_MINT, 32)!, 0)
      data.set(decodeBase58(owner, 32)!, 32)
      data.writeBigUInt64LE(amountAtomic, 64)
      data[108] = 1
      account(TOKEN_PROGRAM, data, at)
      return at
    },
    plant: (at, program, data) => account(program, data, at),
    giveLamports: (at, lamports = 1_000_000_000n) => {
      svm.airdrop(address(at), lamports as never)
    },
    leaveLamports(at, lamports) {
      svm.setAccount({ ...(svm.getAccount(address(at)) as never as object), lamports } as never)
    },
    lamportsOf: (at) => svm.getBalance(address(at)) ?? 0n,
    balanceOf(owner) {
      const found = svm.getAccount(address(tokenAccountOf(owner, USDC_MINT, TOKEN_PROGRAM)))
      return found.exists ? Buffer.from(found.data).readBigUInt64LE(64) : 0n
    },
    blockhash: () => svm.latestBlockhash(),
    pass(blocks) {
      svm.warpToSlot(svm.getClock().slot + blocks)
      if (svm.getClock().slot <= lastValid) return
      svm.expireBlockhash()
      lastValid = svm.getClock().slot + BLOCKHASH_BLOCKS
    },
    reveal() {
      for (const entry of landed.values()) entry.isHidden = false
    },
    landed: () => node.wires().map(([signature]) => signature),
    wires: () =>
      [...landed].flatMap(([signature, { err, wire }]) =>
        err === null ? [[signature, wire]] : [],
      ),
    stop: () => server.stop(true),
  }
  return node
}
