/** An entry on Solana: `exact`, with the fee paid by a facilitator or by the gateway's own sponsor. */
import { assert, type Quote, type StoredAnswer } from '#kernel'
import type { Availability } from '../availability.ts'
import type { PaymentKey, SettleOrder } from '../claims/claim.ts'
import type { Entry } from '../entries/contract.ts'
import type { Token } from '../terms/token.ts'
import { EntrySettlement } from '../entries/settlement.ts'
import type { SolanaSettings } from '../terms/settings.ts'
import type { EntryShared } from '../entries/shared.ts'
import type { AcceptedPrice } from '../terms/prices.ts'
import type { SignedPayment, SignedSvm } from '../payment/payload.ts'
import { disagree, type Problem } from '../payment/problem.ts'
import { sentText, type ShownInChallenge } from '../payment/sent-text.ts'
import type { Examined, Verified } from '../payment/verified.ts'
import type { Payment, SvmPayment } from '../payment/wire.ts'
import type { CheckOutcome } from '../settle/contract.ts'
import { facilitatorAuth } from '../settle/facilitator-auth.ts'
import { Facilitator } from '../settle/facilitator.ts'
import type { SettleOptions } from '../settle/settle-claim.ts'
import { askSupported } from '../settle/supported.ts'
import type { SettlerState } from '../settle/settlers.ts'
import type { BootCheck } from '../chain/chain-check.ts'
import { isSolanaAddress } from '../../shared/signing/base58.ts'
import { checkSolana } from './boot-check.ts'
import { SolanaChain, svm } from './chain.ts'
import { keyPairOf, type KeyPair } from './key-pair.ts'
import { FeePayers, type FeePayerSource } from './fee-payers.ts'
import { FeePayerRounds } from './fee-payer-rounds.ts'
import { SolanaOffers } from './offers.ts'
import type { TokenProgram } from './programs.ts'
import { SolanaRpc } from './rpc.ts'
import type { Expected } from './rules.ts'
import { ownSignature, Sponsor } from './sponsor.ts'
import { tokenAccountOf } from './token-account.ts'
import { payerIn, SolanaVerifier, type SeenPayment } from './verify.ts'

export interface SolanaEntryOptions {
  settings: SolanaSettings
  rpcUrl: string
  /** Null: only facilitators pay fees. */
  key: KeyPair | null
}

/** The height of a second ago is good for a blockhash of now: nodes differ by more than that. */
const HEIGHT_KEPT_MS = 1000
const LAG_BLOCKS = 32n
/** Later than any blockhash lives, for cleaning up. */
const VALID_S = 180n
const NETWORKS_V1: Readonly<Record<string, string>> = {
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'solana',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': 'solana-devnet',
}

/** The entry, or why its settings make none: the reason names the setting. */
export function solanaEntry(
  settings: SolanaSettings,
  shared: EntryShared,
): { ok: true; entry: SolanaEntry } | { ok: false; reason: string } {
  const { names, asset, payTo, rpcUrl, signerKey, facilitators } = settings
  if (!isSolanaAddress(asset)) return { ok: false, reason: `${names.asset} ${asset} is no mint` }
  if (!isSolanaAddress(payTo)) return { ok: false, reason: `${names.payTo} ${payTo} is no address` }
  // Token programme, payee's account and outcomes are looked up there.
  if (rpcUrl === null) return { ok: false, reason: `${names.rpc} is not set, and Solana needs it` }
  const key = signerKey === null ? null : keyPairOf(signerKey)
  if (signerKey !== null && key === null) {
    return { ok: false, reason: `the signer of ${settings.network} is no base58 secret key` }
  }
  if (key === null && facilitators.length === 0) return { ok: false, reason: names.settlers }
  return { ok: true, entry: new SolanaEntry({ settings, rpcUrl, key }, shared) }
}

export class SolanaEntry implements Entry {
  readonly token: Token
  readonly name: string
  readonly chainRef = null
  readonly offers: SolanaOffers
  readonly #settings: SolanaSettings
  readonly #clock: EntryShared['clock']
  readonly #rpc: SolanaRpc
  readonly #own: Sponsor | null
  readonly #hasFacilitators: boolean
  readonly #feePayers: FeePayers
  readonly #feePayerRounds: FeePayerRounds
  readonly #verifier: SolanaVerifier
  readonly #settlement: EntrySettlement
  /** Of the mint; null until the boot check has found it. */
  #account: Pick<Expected, 'program' | 'destination'> | null = null
  #height: { atMs: number; value: Promise<bigint> } | null = null

  constructor({ settings, rpcUrl, key }: SolanaEntryOptions, shared: EntryShared) {
    const { clock, timing, prices, olderPrices } = shared
    const { network, asset, payTo, decimals } = settings
    this.#settings = settings
    this.#clock = clock
    this.token = {
      kind: 'solana',
      network: network as Token['network'],
      networkV1: NETWORKS_V1[network] ?? network,
      chainId: null,
      asset,
      decimals,
      domain: null,
      payTo,
    }
    this.name = `${network} ${asset}`
    this.#rpc = new SolanaRpc({
      url: rpcUrl,
      ...(timing.rpcTimeoutMs !== undefined && { timeoutMs: timing.rpcTimeoutMs }),
      ...(timing.breaker && { breaker: timing.breaker }),
    })
    const chain = new SolanaChain({
      rpc: this.#rpc,
      ownSignature: (payment) => ownSignature(key, payment),
    })
    const remote = settings.facilitators.map(({ url, auth: text }) => {
      const auth = facilitatorAuth(text)
      const source = { name: new URL(url).host, ask: () => askSupported({ url, auth }) }
      return { url, auth, source }
    })
    const sources: FeePayerSource[] = remote.map(({ source }) => source)
    this.#hasFacilitators = sources.length > 0
    this.#own =
      key &&
      new Sponsor({
        key,
        rpc: this.#rpc,
        chain,
        expected: (payment) => this.#expected(payment),
        ...(timing.settleTimeoutMs !== undefined && { timeoutMs: timing.settleTimeoutMs }),
        ...(timing.receiptPollMs !== undefined && { pollMs: timing.receiptPollMs }),
      })
    this.#feePayers = new FeePayers({
      network,
      own: key?.address ?? null,
      unlisted: settings.feePayer,
      facilitators: sources,
    })
    this.offers = new SolanaOffers(this.token, () => this.#feePayers.current)
    this.#verifier = new SolanaVerifier({
      token: this.token,
      account: () => this.#account,
      knowsFeePayer: (feePayer) => this.#feePayers.knows(feePayer),
      prices,
      lastValidBlockHeight: () => this.#lastValidBlockHeight(),
      ...(olderPrices && { olderPrices }),
    })
    const facilitators = remote.map(
      ({ url, auth, source }) =>
        new Facilitator({
          url,
          auth,
          supports: ({ requirements }) =>
            this.#feePayers.isOf(source, String(requirements.extra['feePayer'])),
          ...(timing.settleTimeoutMs !== undefined && { settleTimeoutMs: timing.settleTimeoutMs }),
          ...(timing.verifyTimeoutMs !== undefined && { verifyTimeoutMs: timing.verifyTimeoutMs }),
        }),
    )
    this.#settlement = new EntrySettlement(
      {
        place: { network, asset, chainRef: null },
        settlers: this.#own ? [...facilitators, this.#own] : facilitators,
        chain,
        bootCheck: () => this.#bootCheck(),
        needsNode: true,
        // What a supermajority of the stake has voted for was never undone.
        watchOf: null,
      },
      shared,
    )
    this.#feePayerRounds = new FeePayerRounds({
      feePayers: this.#feePayers,
      facilitators: sources,
      own: key?.address ?? null,
      rpc: this.#rpc,
      settlerStates: () => this.settlerStates(),
      changed: (feePayer) => {
        this.offers.renew()
        shared.changed()
        shared.log.info({ network, feePayer }, 'x402 fee payer')
      },
      log: shared.log,
      ...(timing.refreshEveryMs !== undefined && { refreshEveryMs: timing.refreshEveryMs }),
    })
  }

  available(): Availability {
    const open = this.#settlement.gate.available()
    if (!open.ok || this.#feePayers.current !== null) return open
    return { ok: false, reason: 'nobody is there to pay the fee of the network' }
  }

  settlerStates(): SettlerState[] {
    return this.#settlement.settlers.states()
  }

  troubles(): string[] {
    return [...this.#feePayerRounds.troubles(), ...this.#settlement.settlers.troubles()]
  }

  payerOf(payment: Payment): string | null {
    return payment.method === 'svm' ? payerIn(payment.transaction) : null
  }

  keyOf(payment: Payment): PaymentKey {
    const { transfer } = this.#seen(payment)
    const { network, asset } = this.token
    return { network, asset, payer: transfer.payer, nonce: transfer.messageHash }
  }

  validBefore(): bigint {
    return BigInt(Math.ceil(this.#clock.nowMs() / 1000)) + VALID_S
  }

  windowProblem(payment: Payment, deadline: Date): Problem | null {
    return this.#verifier.windowProblem(payment, deadline)
  }

  async examine(payment: Payment, quote: Quote, deadline: Date, now: Date): Promise<Examined> {
    if (payment.method === 'svm') return this.#verifier.examine(payment, quote, deadline, now)
    const reason = 'invalid_exact_svm_network_mismatch'
    const wrong = disagree(reason, 'accepted.network', this.token.network, payment.network)
    return { kind: 'refused', problem: wrong }
  }

  verify(payment: Payment, quote: Quote, examined: Examined): Promise<Verified> {
    return payment.method !== 'svm' && examined.kind === 'refused'
      ? Promise.resolve({ ok: false, problem: examined.problem, signed: false })
      : this.#verifier.verify(payment as SvmPayment, quote, examined)
  }

  signed(
    payment: Payment,
    quote: Quote,
    { amountAtomic }: AcceptedPrice,
    shown: () => ShownInChallenge,
  ): SignedSvm {
    const { transfer, transaction, lastValidBlockHeight } = this.#seen(payment)
    assert(payment.method === 'svm' && lastValidBlockHeight !== null, 'a payment that was verified')
    const signed: SignedSvm = {
      version: payment.version,
      requirements: this.offers.requirementsOf(quote, transfer, amountAtomic),
      payer: transfer.payer,
      payload: { transaction },
      lastValidBlockHeight: lastValidBlockHeight.toString(),
    }
    return this.#hasFacilitators ? { ...signed, sent: sentText(payment, signed, shown) } : signed
  }

  check(payment: SignedPayment): Promise<CheckOutcome> {
    return this.#settlement.settlers.check(svm(payment))
  }

  settle(order: SettleOrder, answer: StoredAnswer | null, options?: SettleOptions) {
    return this.#settlement.claimSettler.settle(order, answer, options)
  }

  resolve(claimId: string): Promise<void> {
    return this.#settlement.reconciler.resolve(claimId)
  }

  async start(): Promise<void> {
    await Promise.all([this.#settlement.gate.check(), this.#feePayerRounds.start()])
    this.#settlement.reconciler.start()
  }

  async stop(): Promise<void> {
    this.#settlement.gate.stop()
    await Promise.all([this.#settlement.reconciler.stop(), this.#feePayerRounds.stop()])
  }

  async #bootCheck(): Promise<BootCheck> {
    const { network, asset, payTo, decimals, names } = this.#settings
    const order = { network, mint: asset, payTo, decimals, names }
    const checked = await checkSolana(this.#rpc, order)
    if (checked.state === 'ok') this.#account = accountOf(this.token, checked.program)
    return checked
  }

  #expected({ requirements }: SignedSvm): Expected {
    const { memo } = requirements.extra
    assert(this.#account !== null && this.#own !== null, 'an entry that is open')
    return {
      ...this.#account,
      feePayer: this.#own.address,
      mint: this.token.asset,
      decimals: this.token.decimals,
      amount: BigInt(requirements.amount),
      memo: typeof memo === 'string' ? memo : null,
    }
  }

  /** Asked once for all payments of a second. */
  async #lastValidBlockHeight(): Promise<bigint> {
    if (this.#height === null || this.#height.atMs + HEIGHT_KEPT_MS < performance.now()) {
      this.#height = { atMs: performance.now(), value: this.#rpc.lastValidBlockHeight() }
    }
    const height = this.#height
    try {
      return (await height.value) + LAG_BLOCKS
    } catch (error) {
      if (this.#height === height) this.#height = null
      throw error
    }
  }

  #seen(payment: Payment): SeenPayment {
    const seen = this.#verifier.seen(payment)
    assert(seen !== null, 'a payment whose transaction is good')
    return seen
  }
}

function accountOf(
  { payTo, asset }: Token,
  program: TokenProgram,
): Pick<Expected, 'program' | 'destination'> {
  return { program, destination: tokenAccountOf(payTo, asset, program) }
}
