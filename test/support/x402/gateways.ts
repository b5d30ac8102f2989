/** Gateways as processes of their own over the ground, and what their callers do. */
import { ExactEvmScheme } from '@x402/evm'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { PrivateKeyAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { startGateway, type Answer, type GatewayProcess } from '../gateway.ts'
import { PATIENT } from '../patience.ts'
import type { X402Ground } from './ground.ts'
import { decode, encode, requirementsIn, signPayment } from './payments.ts'

type Env = Record<string, string>

/** Instances of one database share it. */
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
const ECHO = '/v1/paid/echo'

/** POST of {} unless told. */
interface Ask {
  method?: string
  body?: unknown
  headers?: Record<string, string>
}

export interface X402Gateways {
  /** A gateway over the ground's chain and database; stopped with what else the ground closes. */
  start(env: Env): Promise<GatewayProcess>
  /** Settings for one that settles by its own signer. */
  ownSigner(): Env
  /** Settings for one that settles by a facilitator, and has a node. */
  settlingBy(facilitator: { url: string }): Env
  /** A payment by EIP-3009 of the ground's buyer for what this route asks, as its header. */
  signed(gateway: GatewayProcess, path?: string, ask?: Ask): Promise<string>
}

/** `everywhere` gives the settings of every gateway, when one is started. */
export function x402Gateways(ground: X402Ground, everywhere: () => Env = () => ({})): X402Gateways {
  return {
    async start(env) {
      const gateway = await startGateway({
        DATABASE_URL: ground.database.url,
        SANDBOX: 'true',
        COINOP_MASTER_KEY: MASTER_KEY,
        SETTLEMENT_ADDRESS: ground.chain.receivingAddress,
        ...everywhere(),
        ...env,
      })
      ground.closing(() => gateway.stop())
      return gateway
    },
    ownSigner: () => ({
      X402_RPC_URL: ground.chain.rpcUrl,
      X402_SIGNER_KEY: ground.chain.signerKey,
    }),
    settlingBy: ({ url }) => ({ X402_FACILITATOR_URL: url, X402_RPC_URL: ground.chain.rpcUrl }),
    async signed(gateway, path = ECHO, ask = {}) {
      const challenge = await challengeOf(gateway, path, ask)
      return encode(await signPayment(ground.buyer, requirementsIn(challenge)))
    },
  }
}

/** Looks every 25 ms, for minutes; throws when it never came to it. */
export async function until(isReached: () => boolean | Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + PATIENT.timeout; performance.now() < endMs;) {
    if (await isReached()) return
    await Bun.sleep(25)
  }
  throw new Error(`never came to it: ${isReached.toString()}`)
}

/**
 * Kills a gateway amid the calls it is busy with, as soon as `isReached`. Its leases run for some
 * seconds more; `expireLeases` of the ground ends them for those who will not wait.
 */
export async function killAmid(
  gateway: GatewayProcess,
  calls: Promise<unknown>[],
  isReached: () => boolean | Promise<boolean>,
): Promise<void> {
  const cut = calls.map((call) => call.catch(() => null))
  await until(isReached)
  await gateway.kill()
  await Promise.all(cut)
}

/** What the header of an unpaid call asks. */
export async function challengeOf(
  gateway: GatewayProcess,
  path: string = ECHO,
  { method = 'POST', body = method === 'GET' ? undefined : {}, headers }: Ask = {},
): Promise<unknown> {
  const unpaid = await gateway.call(method, path, { body, ...(headers && { headers }) })
  expect(unpaid.status, unpaid.text).toBe(402)
  return decode(unpaid.headers.get('payment-required'))
}

/** One call with this payment. */
export const payOnce = (
  gateway: GatewayProcess,
  payment: string,
  options: { path?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> => {
  const { path = ECHO, body = { message: 'hi' }, headers } = options
  return gateway.call('POST', path, { body, headers: { 'payment-signature': payment, ...headers } })
}

/** The same call until it is no longer told to wait; every wait must be retryable and no 402. */
export async function comeBack(call: () => Promise<Answer>): Promise<Answer> {
  for (const endMs = performance.now() + PATIENT.timeout; performance.now() < endMs;) {
    const answer = await call()
    if (answer.json?.error?.retryable !== true) return answer
    expect([409, 503]).toContain(answer.status)
    await Bun.sleep(100)
  }
  throw new Error('the settlement never ended')
}

/** The client of @x402/fetch with its default settings. */
export function payingFetch(
  account: PrivateKeyAccount,
  network: `${string}:${string}` = 'eip155:8453',
) {
  const client = new x402Client().register(network, new ExactEvmScheme(account))
  return wrapFetchWithPayment(fetch, client)
}

/** A JSON request for fetch. */
export const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
