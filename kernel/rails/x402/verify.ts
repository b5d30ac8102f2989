/**
 * Decides locally whether a payment is good for a quote: it is one of our own offers, for the right
 * token, receiver, amount and time, and its signature is the payer's. Order and reason codes follow
 * @x402/evm `{exact,upto}/facilitator`; the node is asked only for payers that are contracts.
 */
import type { Address, Hex } from 'viem'
import type { Quote } from '../contract.ts'
import type { Asset } from './asset.ts'
import { SETTLE_MARGIN_S } from './challenge.ts'
import type { AcceptedPrice, Offers, OlderPrice } from './offers.ts'
import { problem, type Problem } from './problem.ts'
import { permit2Digest, permit2Problem, permit2Separator } from './permit2.ts'
import { domainSeparator, recoverSigner, transferDigest } from './typed-data.ts'
import { wayOf, type Way } from './ways.ts'
import { isSameAddress, type Payment, type PaymentRequirements } from './wire.ts'
import { WORDS } from './words.ts'

export type Verified =
  | { ok: true; price: AcceptedPrice }
  /** It may be signed by a contract account, and the node gave no answer. */
  | { ok: false; unavailable: true }
  | {
      ok: false
      unavailable?: undefined
      problem: Problem
      /** The payer did sign this under our token's domain: an earlier claim of it may be looked up. */
      signed: boolean
    }

export interface VerifierOptions {
  asset: Asset
  payTo: Address
  offers: Offers
  /** EIP-1271 for a payer that is a contract; null = no node to ask. */
  contractSigned: ((payer: Address, digest: Hex, signature: Hex) => Promise<boolean | null>) | null
  /** Prices of a skill that other instances may have offered within the last seconds. */
  olderPrices?: (skillId: string, since: Date) => Promise<readonly OlderPrice[]>
}

export class Verifier {
  readonly #options: VerifierOptions
  readonly #separator: Hex
  readonly #permit2Separator: Hex

  constructor(options: VerifierOptions) {
    this.#options = options
    this.#separator = domainSeparator(options.asset)
    this.#permit2Separator = permit2Separator(options.asset.chainId)
  }

  /** The EIP-712 digest the payer had to sign. */
  digest(payment: Payment): Hex {
    return payment.method === 'permit2'
      ? permit2Digest(this.#permit2Separator, payment.authorization)
      : transferDigest(this.#separator, payment.authorization)
  }

  /** Whether `payment` pays `quote` when the work must be over by `deadline`. */
  async verify(
    payment: Payment,
    quote: Quote,
    deadline: Date,
    now = new Date(),
  ): Promise<Verified> {
    const foreign = this.#foreign(payment)
    if (foreign) return { ok: false, problem: foreign, signed: false }
    const { price, disagreement } = await this.#price(payment, quote, now)
    const unoffered = this.#unoffered(payment, quote, now)
    const wrong = unoffered ?? disagreement ?? windowProblem(payment, deadline, now)
    const digest = this.digest(payment)
    const { from } = payment.authorization
    const signer = await signerOf(payment, digest)
    if (signer === from) {
      if (wrong) return { ok: false, problem: wrong, signed: true }
      return { ok: true, price: price! }
    }
    // A payment that is wrong anyway is not worth a question to the node.
    if (wrong) return { ok: false, problem: wrong, signed: false }
    const contract = await this.#options.contractSigned?.(from, digest, payment.signature)
    if (contract === true) return { ok: true, price: price! }
    if (contract === null) return { ok: false, unavailable: true }
    return { ok: false, problem: badSignature(payment, signer, this.#options.asset), signed: false }
  }

  /** What makes the payment none of ours: scheme, network, token, domain or receiver. */
  #foreign(payment: Payment): Problem | null {
    const { asset, payTo } = this.#options
    const v2 = payment.version === 2
    const place = (name: string) => (v2 ? `accepted.${name}` : name)
    const { scheme, method, accepted, authorization } = payment
    if (scheme !== 'exact' && (scheme !== 'upto' || method !== 'permit2')) {
      return disagree('invalid_exact_evm_scheme', place('scheme'), 'exact', scheme)
    }
    const network = v2 ? asset.network : asset.networkV1
    if (payment.network !== network && payment.network !== asset.network) {
      const reason = `invalid_${scheme}_evm_network_mismatch`
      return disagree(reason, place('network'), network, payment.network)
    }
    const unlike = accepted && acceptedProblem(accepted, wayOf(payment), asset, payTo)
    if (unlike) return unlike
    const permit2 =
      payment.method === 'permit2' && permit2Problem(payment.authorization, scheme, asset.address)
    if (permit2) return permit2
    if (authorization.to !== payTo.toLowerCase()) {
      const { reason, field } = WORDS[method].recipient
      return disagree(reason, field, payTo, authorization.to)
    }
    return null
  }

  /** A way to pay that no offer still honoured has: the member of the payment that chose it. */
  #unoffered(payment: Payment, quote: Quote, now: Date): Problem | null {
    const { offers } = this.#options
    const way = wayOf(payment)
    if (offers.takes(way, quote, now.getTime())) return null
    if (way.scheme === 'upto') {
      const { accepts } = offers.of(quote).required
      const offered = accepts.find(({ scheme }) => scheme === 'upto')?.extra['facilitatorAddress']
      if (typeof offered !== 'string') {
        return disagree('invalid_exact_evm_scheme', 'accepted.scheme', 'exact', 'upto')
      }
      const field = 'payload.permit2Authorization.witness.facilitator'
      return disagree('upto_facilitator_mismatch', field, offered, way.facilitator)
    }
    if (quote.isCeiling) {
      const place = payment.version === 2 ? 'accepted.scheme' : 'scheme'
      return disagree('invalid_upto_evm_scheme', place, 'upto', 'exact')
    }
    const [member, expected] =
      way.method === 'permit2' ? ['permit2Authorization', 'eip3009'] : ['authorization', 'permit2']
    return disagree('unsupported_payload_type', `payload.${member}`, expected, way.method)
  }

  /** The offer that the signed value matches exactly, or how it disagrees with the present price. */
  async #price(
    payment: Payment,
    quote: Quote,
    now: Date,
  ): Promise<{ price: AcceptedPrice | null; disagreement: Problem | null }> {
    const { value } = payment.authorization
    const { reason, field } = WORDS[payment.method].value
    const accepted = payment.accepted?.amount
    if (accepted !== undefined && accepted !== value.toString()) {
      return { price: null, disagreement: disagree(reason, field, accepted, value.toString()) }
    }
    const matches = (price: AcceptedPrice) => price.amountAtomic === value
    const { offers, olderPrices } = this.#options
    const known = offers.prices(quote, now.getTime()).find(matches)
    if (known) return { price: known, disagreement: null }
    const windowMs = offers.of(quote).requirements.maxTimeoutSeconds * 1000
    const older = await olderPrices?.(quote.skillId, new Date(now.getTime() - windowMs))
    const found = older?.find(matches)
    if (found) return { price: found, disagreement: null }
    const expected = quote.amountAtomic.toString()
    return { price: null, disagreement: disagree(reason, field, expected, value.toString()) }
  }
}

/** Where the offer that the payer says it accepts is none of ours. */
function acceptedProblem(
  accepted: PaymentRequirements,
  way: Way,
  asset: Asset,
  payTo: Address,
): Problem | null {
  const { reason: tokenReason } = WORDS[way.method].token
  if (!isSameAddress(accepted.asset, asset.address)) {
    return disagree(tokenReason, 'accepted.asset', asset.address, accepted.asset)
  }
  if (!isSameAddress(accepted.payTo, payTo)) {
    const { reason } = WORDS[way.method].recipient
    return disagree(reason, 'accepted.payTo', payTo, accepted.payTo)
  }
  const extra: Record<string, unknown> = accepted.extra ?? {}
  const compared: [string, string, string][] = [
    ['name', asset.name, 'invalid_exact_evm_token_name_mismatch'],
    ['version', asset.version, 'invalid_exact_evm_token_version_mismatch'],
    ['assetTransferMethod', way.method, 'unsupported_payload_type'],
  ]
  for (const [name, expected, reason] of compared) {
    const got = extra[name]
    if (got !== undefined && got !== expected) {
      return disagree(reason, `accepted.extra.${name}`, expected, textOf(got))
    }
  }
  const facilitator = textOf(extra['facilitatorAddress'])
  if (way.scheme === 'upto' && !isSameAddress(facilitator, way.facilitator)) {
    const field = 'accepted.extra.facilitatorAddress'
    return disagree('upto_facilitator_mismatch', field, way.facilitator, facilitator)
  }
  return null
}

/** Whether the authorization is valid now and stays so until the work is done and settled. */
function windowProblem(payment: Payment, deadline: Date, now: Date): Problem | null {
  const { validAfter, validBefore } = payment.authorization
  const words = WORDS[payment.method]
  const nowS = BigInt(Math.floor(now.getTime() / 1000))
  const neededS = BigInt(Math.ceil(deadline.getTime() / 1000) + SETTLE_MARGIN_S)
  if (validBefore < neededS) {
    const { reason, field } = words.validBefore
    return disagree(reason, field, `at least ${neededS}`, validBefore.toString())
  }
  if (validAfter > nowS) {
    const { reason, field } = words.validAfter
    return disagree(reason, field, `at most ${nowS}`, validAfter.toString())
  }
  return null
}

/** Who signed, as the contract that settles will recover it. */
async function signerOf({ method, signature }: Payment, digest: Hex): Promise<Address | null> {
  // Permit2 hands the last byte to ecrecover as it is; a token's own library takes 0 and 1 too.
  const isBare = /0[01]$/.test(signature)
  return method === 'permit2' && isBare ? null : recoverSigner(digest, signature)
}

/** A member of a stranger's object as text. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
}

function disagree(reason: string, field: string, expected: string, got: string): Problem {
  return problem(reason, field, `${field} disagrees with the offer`, { expected, got })
}

function badSignature(payment: Payment, signer: Address | null, asset: Asset): Problem {
  const { method, authorization } = payment
  const { reason, field } = WORDS[method].signature
  const domain = method === 'permit2' ? '"Permit2"' : `"${asset.name}" version "${asset.version}"`
  return problem(
    reason,
    field,
    `the signature is not that of ${authorization.from} under the domain ${domain} of chain ${asset.chainId}`,
    { expected: authorization.from, ...(signer !== null && { got: signer }) },
  )
}
