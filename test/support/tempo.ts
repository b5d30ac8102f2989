/** Tempo on loopback: anvil, a node before it that can fail, and payers with the client of mppx. */
import { Challenge } from 'mppx'
import { Fetch, tempo } from 'mppx/client'
import { createClient, erc20Abi, http, publicActions, type Hex } from 'viem'
import {
  generatePrivateKey,
  mnemonicToAccount,
  privateKeyToAccount,
  type PrivateKeyAccount,
} from 'viem/accounts'
import { Actions } from 'viem/tempo'
import { tempoModerato } from 'viem/tempo/chains'
import { startAnvil } from '../../plugins/x402/sandbox/anvil.ts'
import type { Sent } from './mpp.ts'
import { PATIENT } from './patience.ts'

export const TEMPO_CHAIN_ID = 42_431
/** A stablecoin of 6 decimals that the development accounts hold. */
export const PATH_USD: Hex = '0x20c0000000000000000000000000000000000000'
const FUNDS_ATOMIC = 5_000_000n
const MNEMONIC = 'test test test test test test test test test test test junk'

/** What the node does with the next transaction that it is sent. */
export type TempoFault = 'hold' | 'lose' | 'refuse'

export interface TempoChain {
  /** Of the node that can fail. */
  url: string
  payTo: Hex
  received(): Promise<bigint>
  /** A new account with a few dollars: the node mines one expiring transaction of each. */
  payer(atomic?: bigint): Promise<PrivateKeyAccount>
  client: ReturnType<typeof clientOf>
  /** Those of the next transactions, in order. */
  faults: TempoFault[]
  /** How many transactions the node was sent. */
  sent(): number
  rpc(method: string, params?: unknown[]): Promise<unknown>
  stop(): Promise<void>
}

function clientOf(url: string) {
  return createClient({ chain: tempoModerato, transport: http(url) }).extend(publicActions)
}

export async function startTempo(): Promise<TempoChain> {
  const started = await startAnvil(TEMPO_CHAIN_ID, {
    options: ['--network=tempo'],
    timeoutMs: PATIENT.timeout,
  })
  if (!started.ok) throw new Error(started.reason)
  const { anvil } = started
  const faults: TempoFault[] = []
  let sends = 0
  const forward = async (body: string): Promise<Response> => {
    const told = await fetch(anvil.rpcUrl, { method: 'POST', body, headers: JSON_TYPE })
    return new Response(await told.text(), { headers: JSON_TYPE })
  }
  const node = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const body = await request.text()
      if (!body.includes('"eth_sendRawTransaction"')) return forward(body)
      sends++
      switch (faults.shift()) {
        case 'hold':
          return new Promise<Response>(() => {})
        case 'lose':
          await forward(body)
          return new Promise<Response>(() => {})
        case 'refuse': {
          const asked = JSON.parse(body)
          const error = { code: -32000, message: 'insufficient funds for fee' }
          const refusal = (one: { id: number }) => ({ jsonrpc: '2.0', id: one.id, error })
          return Response.json(Array.isArray(asked) ? asked.map(refusal) : refusal(asked))
        }
        default:
          return forward(body)
      }
    },
  })
  const rpc = async (method: string, params: unknown[] = []): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const told = await (await forward(body)).json()
    if (told.error) throw new Error(told.error.message)
    return told.result
  }
  // Fees are known from the first block on.
  await rpc('anvil_mine')
  const client = clientOf(anvil.rpcUrl)
  const rich = mnemonicToAccount(MNEMONIC)
  const payTo = privateKeyToAccount(generatePrivateKey()).address
  return {
    url: `http://127.0.0.1:${node.port}`,
    payTo,
    client,
    faults,
    sent: () => sends,
    rpc,
    received: () =>
      client.readContract({
        address: PATH_USD,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [payTo],
      }),
    async payer(atomic = FUNDS_ATOMIC) {
      const account = privateKeyToAccount(generatePrivateKey())
      const order = { account: rich, to: account.address, amount: atomic, token: PATH_USD }
      if (atomic > 0n) await Actions.token.transferSync(client, order)
      return account
    },
    async stop() {
      await node.stop(true)
      await anvil.stop()
    },
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

function tempoMethod(chain: TempoChain, account: PrivateKeyAccount) {
  return tempo.charge({ account, getClient: () => chain.client as never })
}

/** The fetch of mppx that pays on Tempo; `seen` gets every request that it sends. */
export function tempoFetch(
  chain: TempoChain,
  account: PrivateKeyAccount,
  seen: Sent[] = [],
): typeof fetch {
  const recording = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const { headers } = request
    const answer = await fetch(request)
    seen.push({ headers, status: answer.status, answer: answer.headers })
    return answer
  }
  const methods = [tempoMethod(chain, account)] as never
  return Fetch.from({ methods, fetch: recording as typeof fetch }) as typeof fetch
}

/** The value of Authorization that pays this challenge. */
export function tempoCredential(
  chain: TempoChain,
  account: PrivateKeyAccount,
  challenge: Challenge.Challenge,
): Promise<string> {
  const method = tempoMethod(chain, account)
  return method.createCredential({ challenge, context: {} } as never)
}
