/**
 * Signed receipts of charged answers. They are made after the money moved, so no error here may
 * cost the caller its answer: a receipt that is not ready in time is left out and counted.
 */
import type { Logger } from '../log/logger.ts'
import { reserveHeaders } from '../net/reserved-headers.ts'
import type {
  Authorization,
  AuthorizeOutcome,
  CaptureOutcome,
  Rail,
  Receipt,
  ReceiptSigner,
  SignedReceipt,
  StoredAnswer,
} from '../rails/contract.ts'
import { inRailTime } from '../rails/registry.ts'
import { within } from '../work/timeout.ts'
import type { MeterCall } from './call.ts'
import type { Progress } from './call-outcome.ts'
import type { Held } from './plan.ts'

/** The mounted signer of receipts: if several plugins have one, the first is used. */
export class ReceiptSigners {
  readonly #log: Pick<Logger, 'error'> | null
  #signers: readonly ReceiptSigner[] = []
  /** Signers of further plugins, which are not used. */
  #others: readonly ReceiptSigner[] = []

  constructor(log: Pick<Logger, 'error'> | null = null) {
    this.#log = log
  }

  /** Takes the signers of the mounted plugins; logs new ones that are not used. */
  setOfPlugins(brought: readonly ReceiptSigner[]): void {
    const [first, ...others] = brought
    if (others.some((signer) => !this.#others.includes(signer)))
      this.#log?.error(
        { signers: brought.length },
        'several plugins sign receipts; the first one does',
      )
    this.#others = others
    if (first === this.#signers[0]) return
    this.#signers = first ? [first] : []
    const names = (first?.answerHeaders ?? []).map(({ name }) => name)
    reserveHeaders([], names)
  }

  /** Null: answers go out without signed receipts. */
  current(): ReceiptSigner | null {
    return this.#signers[0] ?? null
  }

  /** The same array until the signer changes. */
  list(): readonly ReceiptSigner[] {
    return this.#signers
  }
}

/** A kept answer, as its rail or its Idempotency-Key replays it. */
export type Replay = Pick<
  Extract<AuthorizeOutcome, { outcome: 'replay' }>,
  'answer' | 'receipt' | 'bought'
>

/** The time limit of a signature, which takes much less than a millisecond. */
const SIGN_MS = 250

export interface ReceiptsOptions {
  signers: Pick<ReceiptSigners, 'current'>
  publicUrl: string
  log: Pick<Logger, 'error'>
}

export class Receipts {
  readonly #options: ReceiptsOptions
  /** Charged answers that went out without their receipt since the start, by rail. */
  readonly missing = new Map<string, number>()

  constructor(options: ReceiptsOptions) {
    this.#options = options
  }

  /** The signed receipt of a charged answer; null if none is due or signing failed. */
  async sign(
    { call, identity }: Progress,
    receipt: Receipt,
    answer: StoredAnswer,
  ): Promise<SignedReceipt | null> {
    const signer = this.#options.signers.current()
    const isDue = receipt.chargedAtomic > 0n && answer.status >= 200 && answer.status < 300
    if (signer === null || !isDue) return null
    const { rail, chargedAtomic, ledgerId, transaction = null, payment = null } = receipt
    try {
      const signing = signer.sign({
        rail,
        chargedAtomic,
        keyId: identity?.keyId ?? null,
        accountId: identity?.accountId ?? null,
        via: identity?.via ?? null,
        payment,
        transaction,
        ledgerId,
        requestId: call.requestId,
        resourceUrl: this.#resourceUrl(call),
        transport: call.quote.transport,
        body: sentBody(call, answer),
      })
      if (!(signing instanceof Promise)) return signing
      return await within(signing, SIGN_MS, () => {
        throw new Error(`no receipt was signed within ${SIGN_MS} ms`)
      })
    } catch (error) {
      this.missing.set(rail, (this.missing.get(rail) ?? 0) + 1)
      const facts = { err: error, requestId: call.requestId, rail }
      this.#options.log.error(facts, 'a paid answer goes out without its signed receipt')
      return null
    }
  }

  /**
   * The receipt of a charge with the signed one in it, which the rail keeps with the answer, or
   * kept while it charged. A stream (no `answer`) has none: its body is unknown when its head goes
   * out.
   */
  async kept(
    progress: Progress,
    { rail, authorization }: Pick<Held, 'rail' | 'authorization'>,
    { receipt, signed: keptByRail }: Extract<CaptureOutcome, { outcome: 'captured' }>,
    answer: StoredAnswer | null,
  ): Promise<Receipt> {
    if (keptByRail !== undefined)
      return keptByRail ? this.shown(rail, receipt, keptByRail) : receipt
    const signed = answer && (await this.sign(progress, receipt, answer))
    if (!signed) return receipt
    await this.#keep(progress, rail, authorization, signed)
    return this.shown(rail, receipt, signed)
  }

  async #keep(
    { call }: Progress,
    rail: Rail,
    authorization: Authorization,
    { headers }: SignedReceipt,
  ): Promise<void> {
    try {
      const keeping = rail.keepReceipt?.(authorization, headers)
      if (keeping) await inRailTime(rail, 'keepReceipt', keeping)
    } catch (error) {
      const facts = { err: error, requestId: call.requestId, rail: rail.id }
      this.#options.log.error(facts, 'a signed receipt is not kept: a retry gets another one')
    }
  }

  /**
   * A kept answer as a retry gets it: with its signed receipt if that covers the body sent now,
   * else without it, because a different Accept may turn the same answer into a different body. An
   * answer that was kept without a receipt, and so never sent, gets one now.
   */
  async again(
    progress: Progress,
    { answer, receipt, bought }: Replay,
    rail?: Rail,
  ): Promise<{ answer: StoredAnswer; receipt: Receipt }> {
    const signer = this.#options.signers.current()
    if (signer === null) return { answer, receipt }
    const kept = this.#keptWith(signer, progress.call, answer)
    if (kept) return { answer, receipt: this.shown(rail, receipt, kept) }
    const names = signer.answerHeaders.map(({ name }) => name.toLowerCase())
    if (names.some((name) => name in answer.headers)) {
      const others = Object.entries(answer.headers).filter(([name]) => !names.includes(name))
      return { answer: { ...answer, headers: Object.fromEntries(others) }, receipt }
    }
    if (!rail || !bought) return { answer, receipt }
    const charged = { ...receipt, chargedAtomic: bought.amountAtomic }
    const signed = await this.sign(progress, charged, answer)
    if (!signed) return { answer, receipt }
    await this.#keep(progress, rail, bought, signed)
    return { answer, receipt: this.shown(rail, receipt, signed) }
  }

  #keptWith(signer: ReceiptSigner, call: MeterCall, answer: StoredAnswer): SignedReceipt | null {
    try {
      return signer.keptIn(answer.headers, () => sentBody(call, answer))
    } catch (error) {
      this.#options.log.error({ err: error }, 'a kept receipt cannot be read')
      return null
    }
  }

  /** `receipt` with the signed one in it, also as `rail` shows it to its own clients. */
  shown(rail: Rail | undefined, receipt: Receipt, signed: SignedReceipt): Receipt {
    let byRail: Receipt | undefined
    try {
      byRail = rail?.showReceipt?.(receipt, signed)
    } catch (error) {
      this.#options.log.error({ err: error, rail: rail?.id }, 'a rail cannot show a signed receipt')
    }
    return withSigned(byRail ?? receipt, signed)
  }

  /** The resource's URL as the caller addressed it. */
  #resourceUrl({ place }: MeterCall): string {
    return place.transport === 'mcp' ? place.target : this.#options.publicUrl + place.target
  }
}

/** The bytes sent for an answer, by the caller's transport and Accept. */
function sentBody(call: MeterCall, answer: StoredAnswer): Uint8Array {
  return call.sentBody?.(answer) ?? answer.body
}

/** `receipt` with the headers and `_meta` of the signed one. */
export function withSigned(receipt: Receipt, { headers, meta }: SignedReceipt): Receipt {
  return {
    ...receipt,
    headers: { ...receipt.headers, ...headers },
    meta: { ...receipt.meta, ...meta },
  }
}
