/**
 * What one step of a settlement comes to: pure rules over what a settler answered, what the chain
 * shows and whether an attempt before it may have moved the money. The first row that fits decides.
 *
 *   answer    earlier attempt  chain                            verdict
 *   refused   none, unchecked  paid or used; nothing was sent   refused: the authorization is used up
 *   any       any              paid                             settled by that transaction
 *   any       any              void                             refused: the authorization is used up
 *   any       any              used, transaction not found      open: ask again later
 *   any       may have paid *  unused and expired               refused: expired
 *   refused   none             no node                          refused with its reason
 *   refused   none             unused since the failed block    refused with its reason
 *   refused   none             unused or unreachable            open if the reason may follow a payment
 *   refused   none             unreachable                      open if the reason is the expiry
 *   refused   none             unused or unreachable            refused with its reason
 *   unknown   may have paid    no node; "nonce is used"         settled, transaction not known
 *   unknown   none             no node; "nonce is used"         refused: the payer used it up
 *   any other case                                              ask the next settler
 *
 * (*) An unknown answer may itself have paid, unless the transaction that it names has reverted.
 *
 * unchecked: nobody was asked before the work whether the authorization was unused. What had paid by the
 * time that a settler refused to send it may have bought something else: at a gateway of another database
 * that has the same address, or here before a restore.
 */
import { UNKNOWN_TRANSACTION, type ChainFact, type AttemptOutcome } from './contract.ts'

export interface Facts {
  /** `none`: before any settler is asked, after an earlier attempt that may have paid. */
  answer:
    | { kind: 'none' }
    | { kind: 'refused'; reason: string; detail?: string; failedInBlock?: bigint }
    | { kind: 'unknown'; detail: string; hasReverted: boolean; by: string }
  /** Whether an attempt before this answer may have moved the money. */
  mayHavePaid: boolean
  /** Whether nobody was asked before the work if the authorization was unused. */
  isUnchecked: boolean
  /** Whether `reason` is one that settlers also give after the money has moved. */
  isDoubtfulReason: boolean
  chain: ChainFact | { fact: 'no node' }
  /** The reason codes of this payment's transfer method. */
  codes: { nonceUsed: string; expired: string }
}

/** `open`: no other settler is asked now, and a later attempt asks the chain first. */
export type Verdict = AttemptOutcome | { outcome: 'ask next' }

const IS_USED: ReadonlySet<Facts['chain']['fact']> = new Set(['paid', 'used'])
const ASK_NEXT: Verdict = { outcome: 'ask next' }

/** The verdict on `facts`; see the table at the head of this file. */
export function verdictOn(facts: Facts): Verdict {
  const { answer, chain, mayHavePaid, isUnchecked, codes } = facts
  const isNothingSent = answer.kind === 'refused' && answer.failedInBlock === undefined
  if (isUnchecked && isNothingSent && !mayHavePaid && IS_USED.has(chain.fact)) {
    const detail = 'it had paid before this call could send it'
    return { outcome: 'refused', reason: codes.nonceUsed, detail }
  }
  if (chain.fact === 'paid') {
    return { outcome: 'settled', transaction: chain.transaction, by: 'chain' }
  }
  if (chain.fact === 'void') {
    return { outcome: 'refused', reason: codes.nonceUsed, detail: chain.reason }
  }
  if (chain.fact === 'used') {
    const detail = 'the authorization was used; its transaction is not found yet'
    return { outcome: 'open', uncertain: true, detail }
  }
  const thisMayHavePaid = answer.kind === 'unknown' && !answer.hasReverted
  if (chain.fact === 'unused' && chain.expired && (mayHavePaid || thisMayHavePaid)) {
    return { outcome: 'refused', reason: codes.expired }
  }
  if (answer.kind === 'refused' && !mayHavePaid) return onRefusal(facts, answer)
  if (answer.kind === 'unknown' && chain.fact === 'no node' && answer.detail === codes.nonceUsed) {
    return mayHavePaid
      ? { outcome: 'settled', transaction: UNKNOWN_TRANSACTION, by: answer.by }
      : { outcome: 'refused', reason: codes.nonceUsed }
  }
  return ASK_NEXT
}

/** The rows of a refusal that no earlier attempt casts doubt on. */
function onRefusal(
  { chain, isDoubtfulReason, codes }: Facts,
  { reason, detail, failedInBlock }: Extract<Facts['answer'], { kind: 'refused' }>,
): Verdict {
  const refused = { outcome: 'refused', reason, ...(detail !== undefined && { detail }) } as const
  if (chain.fact === 'no node') return refused
  const isUnusedSince =
    chain.fact === 'unused' &&
    failedInBlock !== undefined &&
    (chain.block ?? failedInBlock) >= failedInBlock
  if (isUnusedSince) return refused
  // A payment that did go through is "used" as well, and an authorization that paid expires too.
  const mayFollowPayment =
    isDoubtfulReason || (chain.fact === 'unreachable' && reason === codes.expired)
  return mayFollowPayment ? { outcome: 'open', uncertain: true, detail: reason } : refused
}
