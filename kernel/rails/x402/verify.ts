/**
 * Decides locally whether a payment is good for a quote: it is one of our own offers, for the right
 * token, receiver, amount and time, and its signature is the payer's. Order and reason codes follow
 * @x402/evm `exact/facilitator/eip3009.ts`; the node is asked only for payers that are contracts.
 */
import type { Address, Hex } from 'viem'
import type { Quote } from '../contract.ts'
import type { Asset } from './asset.ts'
import { SETTLE_MARGIN_S } from './challenge.ts'
import type { AcceptedPrice, Offers, OlderPrice } from './offers.ts'
import { problem, type Problem } from './problem.ts'
import { domainSeparator, recoverSigner, transferDigest } from './typed-data.ts'
import type { Payment } from './wire.ts'

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

  constructor(options: VerifierOptions) {
    this.#options = options
    this.#separator = domainSeparator(options.asset)
  }

  /** The EIP-712 digest the payer had to sign. */
  digest(payment: Payment): Hex {
    return transferDigest(this.#separator, payment.authorization)
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
    const wrong = disagreement ?? windowProblem(payment, deadline, now)
    const digest = this.digest(payment)
    const { from } = payment.authorization
    const signer = await recoverSigner(digest, payment.signature)
    if (signer === from) {
      if (wrong) return { ok: false, problem: wrong, signed: true }
      return { ok: true, price: price! }
    }
    // A payment that is wrong anyway is not worth a question to the node.
    if (wrong) return { ok: false, problem: wrong, signed: false }
    const contract = await this.#options.contractSigned?.(from, digest, payment.signature)
    if (contract === true) return { ok: true, price: price! }
    if (contract === null) return { ok: false, unavailable: true }
    return { ok: false, problem: badSignature(signer, from, this.#options.asset), signed: false }
  }

  /** What makes the payment none of ours: scheme, network, token, domain or receiver. */
  #foreign(payment: Payment): Problem | null {
    const { asset, payTo } = this.#options
    const v2 = payment.version === 2
    const place = (name: string) => (v2 ? `accepted.${name}` : name)
    if (payment.scheme !== 'exact') {
      return disagree('invalid_exact_evm_scheme', place('scheme'), 'exact', payment.scheme)
    }
    const network = v2 ? asset.network : asset.networkV1
    if (payment.network !== network && payment.network !== asset.network) {
      return disagree(
        'invalid_exact_evm_network_mismatch',
        place('network'),
        network,
        payment.network,
      )
    }
    const { accepted, authorization } = payment
    if (accepted) {
      if (accepted.asset.toLowerCase() !== asset.address.toLowerCase()) {
        return disagree(
          'invalid_exact_evm_asset_mismatch',
          'accepted.asset',
          asset.address,
          accepted.asset,
        )
      }
      if (accepted.payTo.toLowerCase() !== payTo.toLowerCase()) {
        return disagree(
          'invalid_exact_evm_recipient_mismatch',
          'accepted.payTo',
          payTo,
          accepted.payTo,
        )
      }
      const { name, version } = (accepted.extra ?? {}) as { name?: unknown; version?: unknown }
      if (name !== undefined && name !== asset.name) {
        return disagree(
          'invalid_exact_evm_token_name_mismatch',
          'accepted.extra.name',
          asset.name,
          String(name),
        )
      }
      if (version !== undefined && version !== asset.version) {
        return disagree(
          'invalid_exact_evm_token_version_mismatch',
          'accepted.extra.version',
          asset.version,
          String(version),
        )
      }
    }
    if (authorization.to !== payTo.toLowerCase()) {
      return disagree(
        'invalid_exact_evm_recipient_mismatch',
        'payload.authorization.to',
        payTo,
        authorization.to,
      )
    }
    return null
  }

  /** The offer that the signed value matches exactly, or how it disagrees with the present price. */
  async #price(
    payment: Payment,
    quote: Quote,
    now: Date,
  ): Promise<{ price: AcceptedPrice | null; disagreement: Problem | null }> {
    const { value } = payment.authorization
    const accepted = payment.accepted?.amount
    if (accepted !== undefined && accepted !== value.toString()) {
      return {
        price: null,
        disagreement: disagree(
          'invalid_exact_evm_payload_authorization_value_mismatch',
          'payload.authorization.value',
          accepted,
          value.toString(),
        ),
      }
    }
    const matches = (price: AcceptedPrice) => price.amountAtomic === value
    const { offers, olderPrices } = this.#options
    const known = offers.prices(quote, now.getTime()).find(matches)
    if (known) return { price: known, disagreement: null }
    const windowMs = offers.of(quote).requirements.maxTimeoutSeconds * 1000
    const older = await olderPrices?.(quote.skillId, new Date(now.getTime() - windowMs))
    const found = older?.find(matches)
    if (found) return { price: found, disagreement: null }
    return {
      price: null,
      disagreement: disagree(
        'invalid_exact_evm_payload_authorization_value_mismatch',
        'payload.authorization.value',
        quote.amountAtomic.toString(),
        value.toString(),
      ),
    }
  }
}

/** Whether the authorization is valid now and stays so until the work is done and settled. */
function windowProblem(payment: Payment, deadline: Date, now: Date): Problem | null {
  const { validAfter, validBefore } = payment.authorization
  const nowS = BigInt(Math.floor(now.getTime() / 1000))
  const neededS = BigInt(Math.ceil(deadline.getTime() / 1000) + SETTLE_MARGIN_S)
  if (validBefore < neededS) {
    return disagree(
      'invalid_exact_evm_payload_authorization_valid_before',
      'payload.authorization.validBefore',
      `at least ${neededS}`,
      validBefore.toString(),
    )
  }
  if (validAfter > nowS) {
    return disagree(
      'invalid_exact_evm_payload_authorization_valid_after',
      'payload.authorization.validAfter',
      `at most ${nowS}`,
      validAfter.toString(),
    )
  }
  return null
}

function disagree(reason: string, field: string, expected: string, got: string): Problem {
  return problem(reason, field, `${field} disagrees with the offer`, { expected, got })
}

function badSignature(signer: Address | null, from: Address, asset: Asset): Problem {
  return problem(
    'invalid_exact_evm_signature',
    'payload.signature',
    `the signature is not that of ${from} under the domain "${asset.name}" version "${asset.version}" of chain ${asset.chainId}`,
    { expected: from, ...(signer !== null && { got: signer }) },
  )
}
