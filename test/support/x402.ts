/** A local chain, buyers and facilitators for tests of the x402 rail; nothing of ours is mocked. */
import { x402Facilitator } from '@x402/core/facilitator'
import type { PaymentRequired, PaymentRequirements } from '@x402/core/types'
import {
  PERMIT2_ADDRESS,
  permit2WitnessTypes,
  toFacilitatorEvmSigner,
  uptoPermit2WitnessTypes,
  x402ExactPermit2ProxyAddress,
  x402UptoPermit2ProxyAddress,
} from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { UptoEvmScheme } from '@x402/evm/upto/facilitator'
import {
  createWalletClient,
  http,
  publicActions,
  toHex,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { resolveAsset, type Asset } from '../../kernel/rails/x402/asset.ts'
import { startSandboxChain, type SandboxChain } from '../../kernel/rails/x402/chain/sandbox.ts'
import { x402Rail, type X402Rail } from '../../kernel/rails/x402/rail.ts'
import type { X402Options } from '../../kernel/rails/x402/core.ts'
import type { Ledger } from '../../kernel/ledger/contract.ts'
import type { CredentialSource, Quote } from '../../kernel/rails/contract.ts'
import type { Database } from '../../kernel/storage/contract.ts'
import { silentLog } from './log.ts'

/** What the tests of the rail buy where it does not matter what. */
export const workQuote: Quote = {
  skillId: 't.work',
  productId: 't',
  title: 'Work',
  description: 'Works.',
  method: 'POST',
  path: '/v1/t/run',
  resourceUrl: 'http://localhost/v1/t/run',
  transport: 'http',
  amountAtomic: 10_000n,
  priceVersion: 1,
  timeoutMs: 5000,
}

/** Base and its USDC, as the sandbox has them. */
export function baseAsset(): Asset {
  const resolved = resolveAsset('eip155:8453', null)
  if (!resolved.ok) throw new Error(resolved.reason)
  return resolved.asset
}

/** A fresh local chain; throws with the reason where anvil cannot run. */
export async function testChain(): Promise<SandboxChain> {
  const started = await startSandboxChain(baseAsset())
  if (!started.ok) throw new Error(started.reason)
  return started.chain
}

/** A new account with this much USDC. */
export async function buyerOn(
  chain: SandboxChain,
  amountAtomic = 10_000_000n,
): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.fund(account.address, amountAtomic)
  return account
}

/** What a test bends before or after signing. */
export interface Bend {
  /** Signed and sent. */
  authorization?: Partial<{
    to: Address
    value: bigint
    validAfter: bigint
    validBefore: bigint
    nonce: Hex
  }>
  /** The domain that is signed. */
  domain?: Partial<{ name: string; version: string; chainId: number; verifyingContract: Address }>
  /** Sent instead of what was signed. */
  sent?: Record<string, string>
  accepted?: Record<string, unknown>
  identifier?: string
}

/** A version 2 payment for `requirements`, as an honest or a dishonest client would make it. */
export async function signPayment(
  account: PrivateKeyAccount,
  requirements: PaymentRequirements,
  bend: Bend = {},
) {
  const now = BigInt(Math.floor(Date.now() / 1000))
  const message = {
    from: account.address,
    to: requirements.payTo as Address,
    value: BigInt(requirements.amount),
    validAfter: 0n,
    validBefore: now + BigInt(requirements.maxTimeoutSeconds),
    nonce: toHex(crypto.getRandomValues(new Uint8Array(32))),
    ...bend.authorization,
  }
  const signature = await account.signTypedData({
    domain: {
      name: String(requirements.extra['name']),
      version: String(requirements.extra['version']),
      chainId: Number(requirements.network.split(':')[1]),
      verifyingContract: requirements.asset as Address,
      ...bend.domain,
    },
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message,
  })
  return {
    x402Version: 2,
    accepted: { ...requirements, ...bend.accepted },
    payload: {
      signature,
      authorization: {
        from: message.from,
        to: message.to,
        value: message.value.toString(),
        validAfter: message.validAfter.toString(),
        validBefore: message.validBefore.toString(),
        nonce: message.nonce,
        ...bend.sent,
      },
    },
    ...(bend.identifier !== undefined && {
      extensions: { 'payment-identifier': { info: { required: false, id: bend.identifier } } },
    }),
  }
}

/** What a test bends of a payment by Permit2. */
export interface Permit2Bend {
  /** Signed and sent. */
  authorization?: Partial<{
    to: Address
    value: bigint
    validAfter: bigint
    deadline: bigint
    nonce: bigint
    token: Address
    spender: Address
    facilitator: Address
  }>
  /** Merged over what was signed, before it is sent. */
  sent?: Record<string, unknown>
  accepted?: Record<string, unknown>
  signature?: (signature: Hex) => Hex
}

/** A payment by Permit2 for `requirements` of scheme exact or upto, as @x402/evm's client makes it. */
export async function signPermit2(
  account: PrivateKeyAccount,
  requirements: PaymentRequirements,
  bend: Permit2Bend = {},
) {
  const isUpto = requirements.scheme === 'upto'
  const now = BigInt(Math.floor(Date.now() / 1000))
  const message = {
    to: requirements.payTo as Address,
    value: BigInt(requirements.amount),
    validAfter: 0n,
    deadline: now + BigInt(requirements.maxTimeoutSeconds),
    nonce: BigInt(toHex(crypto.getRandomValues(new Uint8Array(32)))),
    token: requirements.asset as Address,
    spender: isUpto ? x402UptoPermit2ProxyAddress : x402ExactPermit2ProxyAddress,
    facilitator: (requirements.extra['facilitatorAddress'] ?? zeroAddress) as Address,
    ...bend.authorization,
  }
  const { to, facilitator, validAfter, spender, nonce, deadline } = message
  const permitted = { token: message.token, amount: message.value }
  const signature = await account.signTypedData({
    domain: {
      name: 'Permit2',
      chainId: Number(requirements.network.split(':')[1]),
      verifyingContract: PERMIT2_ADDRESS,
    },
    types: isUpto ? uptoPermit2WitnessTypes : permit2WitnessTypes,
    primaryType: 'PermitWitnessTransferFrom',
    message: { permitted, spender, nonce, deadline, witness: { to, facilitator, validAfter } },
  })
  return {
    x402Version: 2,
    accepted: { ...requirements, ...bend.accepted },
    payload: {
      signature: bend.signature?.(signature) ?? signature,
      permit2Authorization: {
        from: account.address,
        permitted: { token: message.token, amount: message.value.toString() },
        spender,
        nonce: nonce.toString(),
        deadline: deadline.toString(),
        witness: { to, ...(isUpto && { facilitator }), validAfter: validAfter.toString() },
        ...bend.sent,
      },
    },
  }
}

/** The version 1 form of a signed payment. */
export function asVersion1(payment: Awaited<ReturnType<typeof signPayment>>, network = 'base') {
  return { x402Version: 1, scheme: 'exact', network, payload: payment.payload }
}

export function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}

export function decode<T>(header: string | null | undefined): T {
  return JSON.parse(Buffer.from(header ?? '', 'base64').toString()) as T
}

/** A call's credentials with this payment header. */
export function paidBy(payment: unknown, name = 'payment-signature'): CredentialSource {
  const value = typeof payment === 'string' ? payment : encode(payment)
  return { header: (asked) => (asked === name ? value : null) }
}

/** The offer of a challenge for this scheme and transfer method. */
export function offerIn(challenge: unknown, scheme: string, method?: string): PaymentRequirements {
  const { accepts } = challenge as PaymentRequired
  const found = accepts.find(
    (offer) => offer.scheme === scheme && offer.extra['assetTransferMethod'] === method,
  )
  if (!found) throw new Error(`no offer ${scheme} ${method ?? ''} in ${JSON.stringify(accepts)}`)
  return found
}

export const requirementsIn = (challenge: unknown): PaymentRequirements =>
  (challenge as PaymentRequired).accepts[0]!

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
  | { refuse: string }

export interface TestFacilitator {
  url: string
  /** Where it settles from. */
  address: Address
  /** Faults of the next settlements, one each; afterwards it works. */
  faults: Fault[]
  /** Whether GET /supported lists the scheme upto. */
  listsUpto: boolean
  settles: number
  verifies: number
  stop(): Promise<void>
}

/** The reference facilitator (@x402/core, @x402/evm) over the local chain, with faults on demand. */
export function startFacilitator(
  chain: SandboxChain,
  key: Hex = generatePrivateKey(),
): TestFacilitator {
  const account = privateKeyToAccount(key)
  const client = createWalletClient({
    account,
    chain: base,
    transport: http(chain.rpcUrl),
    pollingInterval: 20,
  }).extend(publicActions)
  const funded = client.request({
    method: 'anvil_setBalance' as never,
    params: [account.address, toHex(10n ** 20n)] as never,
  })
  const signer = toFacilitatorEvmSigner({
    address: account.address,
    readContract: (args) => client.readContract(args as never),
    verifyTypedData: (args) => client.verifyTypedData(args as never),
    writeContract: (args) => client.writeContract(args as never),
    sendTransaction: (args) => client.sendTransaction(args as never),
    waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
    getCode: (args) => client.getCode(args),
  } as Parameters<typeof toFacilitatorEvmSigner>[0])
  const facilitator = new x402Facilitator()
    .register('eip155:8453', new ExactEvmScheme(signer))
    .register('eip155:8453', new UptoEvmScheme(signer))
  const state: TestFacilitator = {
    url: '',
    address: account.address,
    faults: [],
    listsUpto: false,
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
      if (pathname === '/supported') {
        const { kinds, ...rest } = facilitator.getSupported()
        const listed = kinds.filter(({ scheme }) => state.listsUpto || scheme !== 'upto')
        return Response.json({ kinds: listed, ...rest })
      }
      const body = (await request.json()) as { paymentPayload: never; paymentRequirements: never }
      if (pathname === '/verify') {
        state.verifies++
        return Response.json(
          await facilitator.verify(body.paymentPayload, body.paymentRequirements),
        )
      }
      state.settles++
      const fault = state.faults.shift()
      const settle = () => facilitator.settle(body.paymentPayload, body.paymentRequirements)
      if (fault === undefined) return Response.json(await settle())
      if (typeof fault === 'object') {
        return Response.json({
          success: false,
          errorReason: fault.refuse,
          transaction: '',
          network: 'eip155:8453',
        })
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
          await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
          return new Response(null, { status: 499 })
        case 'garbage':
          return new Response('<html>hello</html>')
        case 'lie':
          return Response.json({
            success: true,
            transaction: `0x${'ab'.repeat(32)}`,
            network: 'eip155:8453',
          })
      }
    },
  })
  state.url = `http://127.0.0.1:${server.port}`
  return state
}

/** A started rail over the chain, settling by its own signer unless told otherwise. */
export async function testRail(
  parts: { database: Database; ledger: Ledger; chain: SandboxChain },
  options: Partial<X402Options> = {},
): Promise<X402Rail> {
  const rail = x402Rail({
    database: parts.database,
    ledger: parts.ledger,
    log: silentLog,
    network: 'eip155:8453',
    asset: null,
    payTo: parts.chain.receivingAddress,
    facilitators: [],
    rpcUrl: parts.chain.rpcUrl,
    signerKey: parts.chain.signerKey,
    chainRef: parts.chain.ref,
    timing: {
      settleTimeoutMs: 3000,
      confirmTimeoutMs: 500,
      verifyTimeoutMs: 2000,
      receiptPollMs: 5,
      reconcileEveryMs: 100,
      breaker: { failures: 100, resetMs: 100 },
    },
    ...options,
  })
  await rail.start()
  return rail
}

/** A port that was free a moment ago, for gateways whose own URL must be known beforehand. */
export async function freePort(): Promise<string> {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  const { port } = server
  await server.stop(true)
  return String(port)
}
