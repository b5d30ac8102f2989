/**
 * Signing in with a wallet: EIP-4361 (https://eips.ethereum.org/EIPS/eip-4361). A proof is for these
 * pages and this browser alone; one for a call (sign-in-with-x) names another uri and opens nothing here.
 */
import { invalid, type Failure } from '#kernel'
import { Type } from 'typebox'
import type { Payments } from '../../shared/payments/contract.ts'
import type { Site } from '../site.ts'
import { NONCE_TTL_MS, type Nonces } from './nonces.ts'
import { notProven, type Proof } from './proof.ts'

export const NonceInput = Type.Object(
  {
    address: Type.Optional(Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })),
    chainId: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  },
  { additionalProperties: false },
)
export const ProofInput = Type.Object(
  {
    message: Type.String({ minLength: 1, maxLength: 4000 }),
    // A contract's signature may be long; an account's has 65 bytes.
    signature: Type.String({ pattern: '^0x([0-9a-fA-F]{2}){1,4096}$' }),
    next: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  { additionalProperties: false },
)

export interface WalletDeps {
  site: Site
  nonces: Nonces
  /** Asks a contract's chain; null while no product can. */
  payments(): Pick<Payments, 'signedBy'> | null
  now(): Date
}

/** Older messages are refused, also with a nonce that is still good. */
const ISSUED_WITHIN_MS = 10 * 60_000
const CLOCK_SKEW_MS = 60_000

/** What a wallet is to sign; with an address the whole text of it. */
export async function walletNonce(
  { site, nonces, now }: WalletDeps,
  visitor: string,
  { address, chainId = 1 }: { address?: string; chainId?: number },
): Promise<
  { nonce: string; domain: string; uri: string; expiresAt: Date; message?: string } | Failure
> {
  const nonce = await nonces.make('wallet', visitor)
  const expiresAt = new Date(now().getTime() + NONCE_TTL_MS)
  const facts = { nonce, domain: site.host, uri: site.uri, expiresAt }
  if (address === undefined) return facts
  const [{ createSiweMessage }, { getAddress, isAddress }] = await loaded()
  if (!isAddress(address)) {
    return invalid([{ path: '/address', message: 'has a wrong checksum (EIP-55)' }])
  }
  const message = createSiweMessage({
    address: getAddress(address),
    chainId,
    domain: site.host,
    uri: site.uri,
    nonce,
    version: '1',
    issuedAt: now(),
    expirationTime: expiresAt,
    statement: `Sign in to the account pages of ${site.host}. It costs nothing and moves nothing.`,
  })
  return { ...facts, message }
}

/**
 * Whose wallet signed. The nonce is taken out before the signature is looked at, so a text is good
 * for one try.
 */
export async function walletProof(
  { site, nonces, payments, now }: WalletDeps,
  visitor: string | null,
  { message, signature }: { message: string; signature: string },
): Promise<Proof> {
  const [
    { createSiweMessage, parseSiweMessage },
    { getAddress, isAddressEqual, recoverMessageAddress },
  ] = await loaded()
  const said = parseSiweMessage(message)
  const { address, chainId, nonce, domain, uri, version, issuedAt, expirationTime, notBefore } =
    said
  if (!address || !chainId || !nonce || !domain || !uri || !issuedAt) {
    return notProven('The message is not a sign-in of EIP-4361 with all of its fields')
  }
  // A text that reads otherwise when it is written again holds lines that the parser skipped.
  if (message !== rewritten(createSiweMessage, said)) {
    return notProven('The message is not written as EIP-4361 says')
  }
  const wrong = (
    [
      [domain !== site.host, `domain must be ${site.host}`],
      [uri !== site.uri, `URI must be ${site.uri}`],
      [version !== '1', 'Version must be 1'],
      [
        said.scheme !== undefined && `${said.scheme}://` !== `${site.origin.split('//')[0]}//`,
        'the scheme is another one',
      ],
    ] as const
  ).find(([isWrong]) => isWrong)
  if (wrong) return notProven(`The message is for another place: ${wrong[1]}`)
  const nowMs = now().getTime()
  const ageMs = nowMs - issuedAt.getTime()
  if (!(ageMs <= ISSUED_WITHIN_MS && ageMs >= -CLOCK_SKEW_MS)) {
    return notProven('Issued At must be within the last 10 minutes; is the clock right?')
  }
  if (expirationTime && expirationTime.getTime() <= nowMs)
    return notProven('The message has expired')
  if (notBefore && notBefore.getTime() > nowMs) return notProven('The message is not valid yet')
  if (visitor === null || !(await nonces.take('wallet', visitor, nonce))) {
    return notProven(
      'The nonce is unknown, used, too old or of another browser: ask for another one',
    )
  }
  const name = `Wallet ${getAddress(address).slice(0, 8)}…`
  const recovered = await recoverMessageAddress({
    message,
    signature: signature as `0x${string}`,
  }).catch(() => null)
  if (recovered !== null && isAddressEqual(recovered, address)) {
    return { ok: true, subject: `eip155:${address.toLowerCase()}`, name }
  }
  const signedBy = await payments()?.signedBy({ chainId, address, message, signature })
  // The same address on another chain may be another owner's contract.
  if (signedBy === 'contract') {
    return { ok: true, subject: `eip155:${chainId}:${address.toLowerCase()}`, name }
  }
  if (signedBy === 'key') return { ok: true, subject: `eip155:${address.toLowerCase()}`, name }
  return notProven(
    signedBy === 'unknown'
      ? 'It is not the signature of the address, and whether a contract there takes it cannot be asked now'
      : 'The signature is not that of the address',
  )
}

type Siwe = typeof import('viem/siwe')

/** The parsed message as EIP-4361 writes it; null where it cannot be. */
function rewritten(
  create: Siwe['createSiweMessage'],
  said: ReturnType<Siwe['parseSiweMessage']>,
): string | null {
  try {
    return create(said as Parameters<Siwe['createSiweMessage']>[0])
  } catch {
    return null
  }
}

/** Loaded by the first sign-in, since most gateways start without one. */
function loaded() {
  return Promise.all([import('viem/siwe'), import('viem')])
}
