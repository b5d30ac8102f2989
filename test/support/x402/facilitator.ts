/** The reference facilitator over a local chain, with faults on demand. */
import { x402Facilitator } from '@x402/core/facilitator'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { UptoEvmScheme } from '@x402/evm/upto/facilitator'
import {
  createWalletClient,
  http,
  publicActions,
  recoverTransactionAddress,
  type Address,
  type Hex,
  type TransactionSerialized,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import type { SandboxChain } from '../../../plugins/x402/sandbox/sandbox.ts'
import { SPONSORINGS, type Sponsoring } from '../../../plugins/x402/payment/sponsoring.ts'
import { giveGas } from './chain.ts'

/** What a facilitator does with a settlement instead of its work. */
export type Fault =
  /** Settles, and its answer breaks off. */
  | 'lose'
  /** Settles, and never answers. */
  | 'settle_then_hang'
  /** Settles, then answers 500. */
  | 'settle_then_500'
  | '503'
  /** Never answers, and does not settle. */
  | 'hang'
  | 'garbage'
  /** Claims a transaction that does not exist. */
  | 'lie'
  | {
      refuse: string
      status?: number
      transaction?: string
      /** It settles before it says so. */
      isSettled?: boolean
    }

/** A body of POST /verify or /settle. */
export interface Asked {
  paymentPayload: Record<string, unknown>
  paymentRequirements: Record<string, unknown>
}

export interface TestFacilitator {
  url: string
  /** Where it settles from. */
  address: Address
  /** Faults of the next settlements, one each; afterwards it works. */
  faults: Fault[]
  /** What GET /supported lists of these: it pays the gas of a payer's approval. */
  sponsors: readonly Sponsoring[]
  /** Whether GET /supported lists the scheme upto. */
  listsUpto: boolean
  /** Whether it settles only what passed its /verify unchanged, as the reference's examples do. */
  isStrict: boolean
  /** What it was asked, oldest first. */
  asked: { verify: Asked[]; settle: Asked[] }
  /** Reasons by which the next verifications are refused, one each. */
  refusals: string[]
  /** The bearer that it asks for; null: it answers everybody. */
  token: string | null
  /** Whether /verify answers 500. */
  verifyFails: boolean
  /** Forgets what was verified, as a restart does. */
  restart(): void
  /** Those that hang now are answered 499. */
  letGo(): void
  settles: number
  verifies: number
  stop(): Promise<void>
}

/**
 * The reference facilitator (@x402/core, @x402/evm) over the local chain, with faults on demand;
 * `chainId` is the chain's.
 */
export function startFacilitator(
  chain: SandboxChain,
  key: Hex = generatePrivateKey(),
  chainId: number = base.id,
): TestFacilitator {
  const network = `eip155:${chainId}` as const
  const account = privateKeyToAccount(key)
  const client = createWalletClient({
    account,
    chain: { ...base, id: chainId },
    transport: http(chain.rpcUrl),
    pollingInterval: 20,
  }).extend(publicActions)
  const funded = giveGas(chain, account.address)
  let lastSent: Promise<unknown> = Promise.resolve()
  /** Two transactions that are sent at the same moment would have the same nonce. */
  const inTurn = <T>(send: () => Promise<T>): Promise<T> => {
    const sent = lastSent.then(send)
    lastSent = sent.catch(() => {})
    return sent
  }
  const signer = toFacilitatorEvmSigner({
    address: account.address,
    readContract: (args) => client.readContract(args as never),
    verifyTypedData: (args) => client.verifyTypedData(args as never),
    writeContract: (args) => inTurn(() => client.writeContract(args as never)),
    sendTransaction: (args) => inTurn(() => client.sendTransaction(args as never)),
    waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
    getCode: (args) => client.getCode(args),
  } as Parameters<typeof toFacilitatorEvmSigner>[0])
  /** Brings the payer's signed approval to the chain, with gas for it, and then the settlement. */
  const sponsor = {
    key: 'erc20ApprovalGasSponsoring',
    signer: {
      ...signer,
      simulateTransactions: async () => true,
      async sendTransactions(transactions: (Hex | { to: Address; data: Hex; gas: bigint })[]) {
        const hashes: Hex[] = []
        for (const transaction of transactions) {
          if (typeof transaction === 'string') {
            const serializedTransaction = transaction as TransactionSerialized
            await giveGas(chain, await recoverTransactionAddress({ serializedTransaction }))
            hashes.push(await client.sendRawTransaction({ serializedTransaction }))
          } else {
            hashes.push(await inTurn(() => client.sendTransaction(transaction)))
          }
          await client.waitForTransactionReceipt({ hash: hashes.at(-1)! })
        }
        return hashes
      },
    },
  }
  const verified = new Set<string>()
  const facilitator = new x402Facilitator()
    .register(network, new ExactEvmScheme(signer))
    .register(network, new UptoEvmScheme(signer))
    .registerExtension(sponsor)
    .registerExtension({ key: 'eip2612GasSponsoring' })
    .onAfterVerify(async ({ paymentPayload, result }) => {
      if (result.isValid) verified.add(JSON.stringify(paymentPayload))
    })
    .onBeforeSettle(async ({ paymentPayload }) => {
      const isKnown = verified.delete(JSON.stringify(paymentPayload))
      if (state.isStrict && !isKnown) {
        return { abort: true, reason: 'Payment must be verified first' }
      }
    })
  const hanging: (() => void)[] = []
  const state: TestFacilitator = {
    url: '',
    address: account.address,
    faults: [],
    sponsors: [],
    listsUpto: false,
    isStrict: false,
    asked: { verify: [], settle: [] },
    refusals: [],
    token: null,
    verifyFails: false,
    restart: () => verified.clear(),
    letGo: () => hanging.splice(0).forEach((answer) => answer()),
    settles: 0,
    verifies: 0,
    stop: async () => {
      await server.stop(true)
    },
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 255,
    async fetch(request) {
      await funded
      const { pathname } = new URL(request.url)
      if (state.token !== null && request.headers.get('authorization') !== `Bearer ${state.token}`)
        return new Response('Unauthorized', { status: 401 })
      if (pathname === '/supported') {
        const { kinds, extensions, ...rest } = facilitator.getSupported()
        const listed = kinds.filter(({ scheme }) => state.listsUpto || scheme !== 'upto')
        return Response.json({
          kinds: listed,
          extensions: extensions.filter(
            (name) =>
              SPONSORINGS.every((one) => one !== name) ||
              state.sponsors.some((one) => one === name),
          ),
          ...rest,
        })
      }
      const body = (await request.json()) as Asked & {
        paymentPayload: never
        paymentRequirements: never
      }
      if (pathname === '/verify') {
        state.verifies++
        state.asked.verify.push(body)
        if (state.verifyFails) return Response.json({ error: 'oops' }, { status: 500 })
        const invalidReason = state.refusals.shift()
        if (invalidReason !== undefined) return Response.json({ isValid: false, invalidReason })
        return Response.json(
          await facilitator.verify(body.paymentPayload, body.paymentRequirements),
        )
      }
      state.settles++
      state.asked.settle.push(body)
      const fault = state.faults.shift()
      const settle = () =>
        facilitator.settle(body.paymentPayload, body.paymentRequirements).catch((error: Error) => ({
          success: false,
          errorReason: error.message.replace('Settlement aborted: ', ''),
          network,
        }))
      if (fault === undefined) return Response.json(await settle())
      if (typeof fault === 'object') {
        const { refuse, status = 200, transaction = '', isSettled = false } = fault
        if (isSettled) await settle()
        const refusal = { success: false, errorReason: refuse, transaction, network }
        return Response.json(refusal, { status })
      }
      switch (fault) {
        case 'lose':
          await settle()
          return new Response('{"success":tr', { headers: { 'content-type': 'application/json' } })
        case 'settle_then_500':
          await settle()
          return new Response('oops', { status: 500 })
        case '503':
          return new Response('busy', { status: 503 })
        case 'settle_then_hang':
        case 'hang':
          if (fault !== 'hang') await settle()
          await new Promise<void>((resolve) => {
            hanging.push(resolve)
            request.signal.addEventListener('abort', () => resolve())
          })
          return new Response(null, { status: 499 })
        case 'garbage':
          return new Response('<html>hello</html>')
        case 'lie':
          return Response.json({
            success: true,
            transaction: `0x${'ab'.repeat(32)}`,
            network,
          })
      }
    },
  })
  state.url = `http://127.0.0.1:${server.port}`
  return state
}
