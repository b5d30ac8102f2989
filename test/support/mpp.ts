/** The unmodified client of mppx, and credentials by hand as honest and dishonest clients make them. */
import { Challenge, Credential } from 'mppx'
import { evm, Fetch } from 'mppx/client'
import { assets } from 'mppx/evm'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Answer, GatewayProcess } from './gateway.ts'

/** The method by which the client pays, told of the token as its documents show it. */
export function chargeMethod(account: PrivateKeyAccount) {
  return evm.charge({ account, currencies: [assets.base.USDC] })
}

/** The fetch of mppx; `seen` gets every request that it sends and the status of the answer. */
export function mppFetch(account: PrivateKeyAccount, seen: Sent[] = []): typeof fetch {
  const recording = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const { headers } = request
    const answer = await fetch(request)
    seen.push({ headers, status: answer.status, answer: answer.headers })
    return answer
  }
  const methods = [chargeMethod(account)] as never
  return Fetch.from({ methods, fetch: recording as typeof fetch }) as typeof fetch
}

export interface Sent {
  headers: Headers
  status: number
  answer: Headers
}

/** Challenges of a 402, as mppx reads them. */
export function challengesOf({ status, headers }: Pick<Answer, 'status' | 'headers'>) {
  if (status !== 402) throw new Error(`a 402, got ${status}`)
  return Challenge.fromHeadersList(headers)
}

/** The value of Authorization that pays this challenge. */
export function credentialFor(
  account: PrivateKeyAccount,
  challenge: Challenge.Challenge,
): Promise<string> {
  return chargeMethod(account).createCredential({ challenge, context: {} } as never)
}

/** POST of {} unless told. */
interface Ask {
  method?: string
  body?: unknown
  headers?: Record<string, string>
}

/** A credential for what this route asks. */
export async function credentialAt(
  gateway: GatewayProcess,
  account: PrivateKeyAccount,
  path: string,
  { method = 'POST', body = method === 'GET' ? undefined : {}, headers }: Ask = {},
): Promise<string> {
  const unpaid = await gateway.call(method, path, { body, ...(headers && { headers }) })
  return credentialFor(account, challengesOf(unpaid)[0]!)
}

/** The parts of a credential as JSON, for tests that bend them. */
export function partsOf(credential: string): {
  challenge: Record<string, any>
  payload: Record<string, any>
  source?: string
} {
  const [, encoded] = credential.split(' ')
  return JSON.parse(Buffer.from(encoded!, 'base64url').toString())
}

/** The value of Authorization for such parts. */
export function credentialOf(parts: unknown): string {
  return `Payment ${Buffer.from(JSON.stringify(parts)).toString('base64url')}`
}

/** The x402 payment by the same signature, as the value of PAYMENT-SIGNATURE. */
export function asX402(credential: string, accepted: unknown): string {
  const { signature, type: _, ...authorization } = Credential.deserialize<any>(credential).payload
  const payment = { x402Version: 2, accepted, payload: { signature, authorization } }
  return Buffer.from(JSON.stringify(payment)).toString('base64')
}
