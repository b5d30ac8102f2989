/**
 * Tempo: payments of MPP (tempo/charge), claimed and settled as those of every entry. x402 has no
 * scheme for it, so that nothing is offered in that dialect.
 */
import { assert, type Quote, type StoredAnswer } from '#kernel'
import type { Availability } from '../availability.ts'
import { settlementAddress } from '../chain/chain-check.ts'
import type { PaymentKey, SettleOrder } from '../claims/claim.ts'
import type { Entry, EntryOffers } from '../entries/contract.ts'
import type { Token } from '../terms/token.ts'
import type { TempoSettings } from '../terms/settings.ts'
import type { EntryShared } from '../entries/shared.ts'
import { EntrySettlement } from '../entries/settlement.ts'
import { unitsOf, type AcceptedPrice } from '../terms/prices.ts'
import { maxTimeoutSeconds } from '../terms/window.ts'
import type { SignedPayment, SignedTempo } from '../payment/payload.ts'
import { TEMPO_NONCE } from '../payment/nonces.ts'
import { problem, type Problem } from '../payment/problem.ts'
import type { Examined, Verified } from '../payment/verified.ts'
import type { Payment, TempoPayment } from '../payment/wire.ts'
import type { CheckOutcome } from '../settle/contract.ts'
import type { SettleOptions } from '../settle/settle-claim.ts'
import type { SettlerState } from '../settle/settlers.ts'
import { checkTempo } from './boot-check.ts'
import { TempoChain } from './chain.ts'
import { TempoSender } from './sender.ts'
import { LONGEST_WORK_MS, TempoVerifier, type SeenTempo } from './verify.ts'

/** All TIP-20 tokens have as many. */
const DECIMALS = 6

/** The entry, or why its settings make none: the reason names the setting. */
export function tempoEntry(
  settings: TempoSettings,
  shared: EntryShared,
): { ok: true; entry: TempoEntry } | { ok: false; reason: string } {
  if (settings.payTo === null) {
    return { ok: false, reason: 'neither TEMPO_RECIPIENT nor SETTLEMENT_ADDRESS is set' }
  }
  const receiver = settlementAddress(settings.payTo, 'TEMPO_RECIPIENT')
  if (!receiver.ok) return receiver
  return { ok: true, entry: new TempoEntry(settings, receiver.address, shared) }
}

export class TempoEntry implements Entry {
  readonly token: Token
  readonly name: string
  readonly chainRef = null
  readonly offers: EntryOffers
  readonly #verifier: TempoVerifier
  readonly #settlement: EntrySettlement

  constructor({ rpcUrl, chainId, asset }: TempoSettings, payTo: string, shared: EntryShared) {
    const { clock, timing, prices, olderPrices } = shared
    const network = `eip155:${chainId}` as const
    this.token = {
      kind: 'tempo',
      network,
      networkV1: network,
      chainId,
      asset,
      decimals: DECIMALS,
      domain: null,
      payTo,
      longestWorkMs: LONGEST_WORK_MS,
    }
    const { token } = this
    this.name = `tempo ${network} ${asset}`
    this.offers = { token, speaksV1: false, of: () => [] }
    const { rpcTimeoutMs, settleTimeoutMs, receiptPollMs } = timing
    const chain = new TempoChain({
      rpcUrl,
      token,
      ...(rpcTimeoutMs !== undefined && { timeoutMs: rpcTimeoutMs }),
    })
    this.#verifier = new TempoVerifier({ token, prices, ...(olderPrices && { olderPrices }) })
    const sender = new TempoSender({
      chain,
      clock,
      ...(settleTimeoutMs !== undefined && { timeoutMs: settleTimeoutMs }),
      ...(receiptPollMs !== undefined && { pollMs: receiptPollMs }),
    })
    this.#settlement = new EntrySettlement(
      {
        place: { network, asset, chainRef: null },
        settlers: [sender],
        chain,
        bootCheck: () => checkTempo(chain.client, token),
        needsNode: true,
        // A block that a node shows is final.
        watchOf: null,
      },
      shared,
    )
  }

  available(): Availability {
    return this.#settlement.gate.available()
  }

  settlerStates(): SettlerState[] {
    return this.#settlement.settlers.states()
  }

  troubles(): string[] {
    return []
  }

  payerOf(payment: Payment): string | null {
    return payment.method === 'tempo' ? (this.#verifier.seen(payment)?.payer ?? null) : null
  }

  keyOf(payment: Payment): PaymentKey {
    const { network, asset } = this.token
    const { nonce } = tempo(payment)
    return { network, asset, payer: this.#seen(payment).payer, nonce: `${TEMPO_NONCE}${nonce}` }
  }

  validBefore(payment: Payment): bigint {
    const { validBefore } = this.#seen(payment).transfer
    assert(validBefore !== null, 'a payment that was verified')
    return validBefore
  }

  windowProblem(payment: Payment, deadline: Date, now: Date): Problem | null {
    return this.#verifier.windowProblem(tempo(payment), deadline, now)
  }

  async examine(payment: Payment, quote: Quote, deadline: Date, now: Date): Promise<Examined> {
    if (payment.method === 'tempo') return this.#verifier.examine(payment, quote, deadline, now)
    const text = 'payments on Tempo come by MPP'
    const wrong = problem('unsupported_network', 'accepted.network', text)
    return { kind: 'refused', problem: wrong }
  }

  verify(payment: Payment, quote: Quote, examined: Examined): Promise<Verified> {
    return payment.method !== 'tempo' && examined.kind === 'refused'
      ? Promise.resolve({ ok: false, problem: examined.problem, signed: false })
      : this.#verifier.verify(tempo(payment), quote, examined)
  }

  signed(payment: Payment, quote: Quote, { amountAtomic }: AcceptedPrice): SignedTempo {
    const { network, asset, payTo, decimals } = this.token
    const { transfer, payer } = this.#seen(payment)
    return {
      version: payment.version,
      requirements: {
        scheme: 'charge',
        network,
        asset,
        payTo,
        amount: unitsOf(decimals, amountAtomic).toString(),
        maxTimeoutSeconds: maxTimeoutSeconds(quote.timeoutMs),
        extra: {},
      },
      payer,
      payload: { signedTransaction: tempo(payment).transaction },
      hash: transfer.hash,
      memo: transfer.memo,
      validBefore: String(transfer.validBefore),
    }
  }

  check(payment: SignedPayment): Promise<CheckOutcome> {
    return this.#settlement.settlers.check(payment)
  }

  settle(order: SettleOrder, answer: StoredAnswer | null, options?: SettleOptions) {
    return this.#settlement.claimSettler.settle(order, answer, options)
  }

  resolve(claimId: string): Promise<void> {
    return this.#settlement.reconciler.resolve(claimId)
  }

  async start(): Promise<void> {
    await this.#settlement.gate.check()
    this.#settlement.reconciler.start()
  }

  async stop(): Promise<void> {
    this.#settlement.gate.stop()
    await this.#settlement.reconciler.stop()
  }

  #seen(payment: Payment): SeenTempo {
    const seen = this.#verifier.seen(tempo(payment))
    assert(seen !== null, 'a payment whose transaction is good')
    return seen
  }
}

function tempo(payment: Payment): TempoPayment {
  assert(payment.method === 'tempo', 'a payment that was read for Tempo')
  return payment
}
