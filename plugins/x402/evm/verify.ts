/**
 * Decides locally whether a payment is good for a quote: it is one of our own offers, for the right
 * token, receiver, amount and time, and its signature is the payer's. Order and reason codes follow
 * @x402/evm `{exact,upto}/facilitator`; the node is asked only for payers that are contracts.
 */
import type { Address, Hex } from 'viem'
import type { Quote } from '#kernel'
import type { Asset } from '../terms/asset.ts'
import {
  unitsOf,
  isPaidBy,
  olderPrice,
  type AcceptedPrice,
  type OlderPrices,
  type Prices,
} from '../terms/prices.ts'
import { type EvmOffers, wayOf, type PaymentKind } from './offers.ts'
import { SETTLE_MARGIN_S } from '../terms/window.ts'
import { disagree, problem, type Problem } from '../payment/problem.ts'
import { permit2Digest, permit2Problem, permit2Separator } from '../payment/permit2.ts'
import { domainSeparator, transferDigest } from '../payment/digests.ts'
import { recoverSigner } from '../../shared/signing/ethereum.ts'
import type { Examined, Verified } from '../payment/verified.ts'
import { windowProblem } from '../payment/window-problem.ts'
import { isSameAddress, type EvmPayment, type PaymentRequirements } from '../payment/wire.ts'
import { WORDS } from '../payment/reason-codes.ts'
import type { PaymentReason } from '../reasons.ts'

export interface VerifierOptions {
  asset: Asset
  payTo: Address
  offers: EvmOffers
  prices: Prices
  /** EIP-1271 for a payer that is a contract; null = no node to ask. */
  contractSigned: ((payer: Address, digest: Hex, signature: Hex) => Promise<boolean | null>) | null
  /** Prices of a skill that other instances may have offered within the last seconds. */
  olderPrices?: OlderPrices
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
  digest(payment: EvmPayment): Hex {
    return payment.method === 'permit2'
      ? permit2Digest(this.#permit2Separator, payment.authorization)
      : transferDigest(this.#separator, payment.authorization)
  }

  /** Judges `payment` as far as this process knows; work must be over by `deadline`. */
  async examine(
    payment: EvmPayment,
    quote: Quote,
    deadline: Date,
    now = new Date(),
  ): Promise<Examined> {
    const foreign = this.#foreign(payment)
    if (foreign) return { kind: 'refused', problem: foreign }
    const { prices, olderPrices, contractSigned } = this.#options
    const price = prices.of(quote).find(this.#isPaidBy(payment)) ?? null
    const wrong =
      this.#unoffered(payment, quote) ??
      amountProblem(payment) ??
      (price || olderPrices ? null : this.#priceProblem(payment, quote)) ??
      transferWindowProblem(payment, deadline, now)
    const signer = await signerOf(payment, this.digest(payment))
    if (signer === payment.authorization.from) {
      if (wrong || !price) return { kind: 'signed', problem: wrong }
      return { kind: 'good', price }
    }
    // A payment that is wrong anyway is not worth a question to the node.
    if (wrong) return { kind: 'refused', problem: wrong }
    if (!contractSigned && price) {
      return { kind: 'refused', problem: badSignature(payment, signer, this.#options.asset) }
    }
    return { kind: 'open', signer, price }
  }

  /** Whether `payment`, which was examined, pays `quote`. */
  async verify(payment: EvmPayment, quote: Quote, examined: Examined): Promise<Verified> {
    switch (examined.kind) {
      case 'refused':
        return { ok: false, problem: examined.problem, signed: false }
      case 'good':
        return { ok: true, price: examined.price, owner: ownerOf(payment) }
      case 'signed': {
        const { problem: wrong } = examined
        const older = wrong ? null : await this.#olderPrice(payment, quote)
        if (older) return { ok: true, price: older, owner: ownerOf(payment) }
        return { ok: false, problem: wrong ?? this.#priceProblem(payment, quote), signed: true }
      }
      case 'open': {
        const price = examined.price ?? (await this.#olderPrice(payment, quote))
        if (!price) return { ok: false, problem: this.#priceProblem(payment, quote), signed: false }
        const { contractSigned, asset } = this.#options
        const digest = this.digest(payment)
        const { from } = payment.authorization
        const contract = await contractSigned?.(from, digest, payment.signature)
        if (contract === true) return { ok: true, price, owner: ownerOf(payment, asset.network) }
        if (contract === null) return { ok: false, unavailable: true }
        const problem = badSignature(payment, examined.signer, asset)
        return { ok: false, problem, signed: false }
      }
    }
  }

  /** What makes the payment none of ours: scheme, network, token, domain or receiver. */
  #foreign(payment: EvmPayment): Problem | null {
    const { asset, payTo } = this.#options
    const v2 = payment.version === 2
    const place = (name: string) => (v2 ? `accepted.${name}` : name)
    const { scheme, method, accepted, authorization } = payment
    if (scheme !== 'exact' && (scheme !== 'upto' || method !== 'permit2')) {
      return disagree('invalid_exact_evm_scheme', place('scheme'), 'exact', scheme)
    }
    const network = v2 ? asset.network : asset.networkV1
    if (payment.network !== network && payment.network !== asset.network) {
      const reason = `invalid_${scheme}_evm_network_mismatch` as const
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
  #unoffered(payment: EvmPayment, quote: Quote): Problem | null {
    const { offers } = this.#options
    const way = wayOf(payment)
    if (offers.takes(way, quote)) return null
    if (way.scheme === 'upto') {
      const upto = offers.of(quote).find(({ scheme }) => scheme === 'upto')
      const offered = upto?.extra['facilitatorAddress']
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

  #olderPrice(payment: EvmPayment, quote: Quote): Promise<AcceptedPrice | null> {
    return olderPrice(this.#options.olderPrices, quote, this.#isPaidBy(payment))
  }

  #isPaidBy({ authorization }: EvmPayment): (price: AcceptedPrice) => boolean {
    return isPaidBy(authorization.value, this.#options.asset.decimals)
  }

  /** The signed value is no price of the quote. */
  #priceProblem(payment: EvmPayment, quote: Quote): Problem {
    const { reason, field } = WORDS[payment.method].value
    const units = unitsOf(this.#options.asset.decimals, quote.amountAtomic)
    return disagree(reason, field, units.toString(), payment.authorization.value.toString())
  }
}

/** Where the payer signed another amount than the offer names that it says it accepts. */
function amountProblem(payment: EvmPayment): Problem | null {
  const value = payment.authorization.value.toString()
  const accepted = payment.accepted?.amount
  if (accepted === undefined || accepted === value) return null
  const { reason, field } = WORDS[payment.method].value
  return disagree(reason, field, accepted, value)
}

/** Where the offer that the payer says it accepts is none of ours. */
function acceptedProblem(
  accepted: PaymentRequirements,
  way: PaymentKind,
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
  const compared: [string, string, PaymentReason][] = [
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

/**
 * A key's wallet is the same on every EVM chain; the address of a contract may be somebody else's on
 * another chain, so its owner has the network in it.
 */
function ownerOf({ authorization }: EvmPayment, network = 'eip155'): string {
  return `${network}:${authorization.from}`
}

/** Why the authorization is not valid now and until the work is done and settled; null when it is. */
export function transferWindowProblem(
  { authorization, method }: EvmPayment,
  deadline: Date,
  now: Date,
): Problem | null {
  const needed = { deadline, marginS: SETTLE_MARGIN_S, now }
  return windowProblem(authorization, needed, WORDS[method])
}

/** Who signed, as the contract that settles will recover it. */
async function signerOf({ method, signature }: EvmPayment, digest: Hex): Promise<Address | null> {
  // Permit2 hands the last byte to ecrecover as it is; a token's own library takes 0 and 1 too.
  const isBare = /0[01]$/.test(signature)
  return method === 'permit2' && isBare ? null : recoverSigner(digest, signature)
}

/** A member of an untrusted object as text. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
}

function badSignature(payment: EvmPayment, signer: Address | null, asset: Asset): Problem {
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
