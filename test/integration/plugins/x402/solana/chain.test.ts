/** How a payment is found that a facilitator sent, whose transaction nobody has named. */
import { afterEach, expect, it } from 'vitest'
import { decodeBase58, encodeBase58 } from '../../../../../plugins/shared/signing/base58.ts'
import type { SignedSvm } from '../../../../../plugins/x402/payment/payload.ts'
import { SolanaChain } from '../../../../../plugins/x402/solana/chain.ts'
import { keyPairOf } from '../../../../../plugins/x402/solana/key-pair.ts'
import { SolanaRpc } from '../../../../../plugins/x402/solana/rpc.ts'
import { readWire } from '../../../../../plugins/x402/solana/rules.ts'
import { sketchPayment, solanaSecret, wireOf } from '../../../../support/x402/solana-payments.ts'

/** Where the chain stands for good. */
const SLOT = 10_000
const BLOCKS_PER_S = 2.5
/** As long as a memo can be. */
const MEMO = `[566] ${'m'.repeat(566)}`

interface Entry {
  signature: string
  slot: number
}

const closing: (() => unknown)[] = []
afterEach(() => Promise.all(closing.splice(0).map((close) => close())))

/** The facts of a node that has these transactions of the payer, newest first. */
function chainOf(entries: readonly Entry[]) {
  const asked: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { method, params } = (await request.json()) as { method: string; params: unknown[] }
      asked.push(method)
      if (method === 'getEpochInfo') {
        return answered({ absoluteSlot: SLOT, blockHeight: SLOT })
      }
      const { before, limit } = params[1] as { before?: string; limit: number }
      const from = entries.findIndex(({ signature }) => signature === before) + 1
      const page = entries.slice(from, from + limit)
      return answered(page.map((entry) => ({ ...entry, err: null, memo: MEMO, blockTime: null })))
    },
  })
  closing.push(() => server.stop(true))
  const rpc = new SolanaRpc({ url: `http://127.0.0.1:${server.port}` })
  return { chain: new SolanaChain({ rpc, ownSignature: () => null }), asked }
}

/** As servers do that know JSON-RPC 1.0 as well: an error that is null is none. */
function answered(result: unknown): Response {
  return Response.json({ jsonrpc: '2.0', id: 1, result, error: null })
}

/** A payment that ended with the block `lastValid`, and the signature by which it is on the chain. */
async function payment(lastValid: number): Promise<{ signed: SignedSvm; signature: string }> {
  const transaction = await wireOf(await sketchPayment())
  const read = readWire(transaction)
  if (!read.ok) throw new Error(read.detail)
  const sponsor = keyPairOf(await solanaSecret('sponsor'))!
  const signature = encodeBase58(sponsor.sign(read.transaction.message))
  const signed = { payload: { transaction }, lastValidBlockHeight: String(lastValid) }
  return { signed: signed as SignedSvm, signature }
}

/** So many others of the payer, one for each slot up to `newest`. */
function others(count: number, newest = SLOT): Entry[] {
  return Array.from({ length: count }, (_, at) => {
    const bytes = new Uint8Array(64).fill(1)
    new DataView(bytes.buffer).setUint32(0, at + 1)
    return { signature: encodeBase58(bytes), slot: newest - at }
  })
}

it('finds it behind many others of its payer, whose memos are long', async () => {
  const age = 600
  const { signed, signature } = await payment(SLOT - age)
  expect(decodeBase58(signature, 64)).not.toBeNull()
  const { chain } = chainOf([...others(age), { signature, slot: SLOT - age }, ...others(1, 9000)])
  expect(await chain.fact(signed)).toEqual({ fact: 'paid', transaction: signature })
})

it('looks no further back than it can be, and says then that it is over', async () => {
  const { signed } = await payment(SLOT - 10 * BLOCKS_PER_S)
  const { chain, asked } = chainOf(others(5000))
  expect(await chain.fact(signed)).toEqual({ fact: 'unused', expired: true, block: BigInt(SLOT) })
  expect(asked.length).toBeLessThan(10)
})

it('never says that it is over where there is more than it looks at', async () => {
  const { signed } = await payment(0)
  const { chain } = chainOf(others(5100, SLOT + 5100))
  expect(await chain.fact(signed)).toMatchObject({ fact: 'unreachable' })
})
