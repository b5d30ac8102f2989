/**
 * The states of a claim: what became of a payment that was presented.
 *
 *   state          money   meaning
 *   working        no      a call holds the payment under its lease, and its work runs
 *   abandoned      no      that lease ran out: the next call may take the payment
 *   released       no      the work failed; the payment is free
 *   settling       maybe   the answer is stored; any instance settles it under a lease
 *   failed         no      the settlement was refused for good; the payment is free
 *   settled        yes     answered; the answer can be had again for a day
 *   settled_ahead  yes     POST /v1/x402/settle has settled it, its request is not open yet
 *   paid_ahead     yes     POST /v1/x402/settle has opened its request, which may be called once
 *   redeeming      yes     the call of that request runs
 *   streaming      yes     its answer is streamed, or its work runs again, under a lease
 *   interrupted    yes     the stream broke off: the same request may run again, uncharged
 *
 *   from                               to             by (Claims)
 *   -, abandoned, released, failed     working        claim
 *   working                            settling       beginSettling
 *   working                            released       release, after failed work
 *   abandoned                          released       fence, for a payment that can no longer settle
 *   settling                           settled        settled, with an answer
 *   settling                           streaming      settled, while the answer is streamed
 *   settling                           interrupted    settled, when nobody streams the answer any more
 *   settling                           settled_ahead  settled, without a call
 *   settling                           failed         failed; failOtherChains
 *   settling                           settling       leaseSettling, postpone, renew
 *   settled_ahead                      paid_ahead     makePrepaid
 *   -                                  paid_ahead     addPrepaid, for a plain transfer
 *   paid_ahead                         redeeming      claimPrepaid
 *   redeeming                          paid_ahead     release; or its lease runs out
 *   redeeming, streaming               settled        finishPaid
 *   redeeming                          settled        closeRefunded, before any work
 *   streaming                          interrupted    release; or its lease runs out
 *   interrupted                        streaming      claimAgain
 *
 * Every transition names the id of the hold that owns the claim, and `claim`, `claimPrepaid` and
 * `claimAgain` give it a new one: a call that lost its claim changes nothing any more.
 */

export type ClaimState =
  | 'working'
  | 'abandoned'
  | 'released'
  | 'settling'
  | 'failed'
  | 'settled'
  | 'settled_ahead'
  | 'paid_ahead'
  | 'redeeming'
  | 'streaming'
  | 'interrupted'

/** The column `state`, which the lease, the ledger id and `prepaid` refine. */
export type StoredState = 'claimed' | 'settling' | 'settled' | 'released' | 'failed' | 'prepaid'

/** The column `fingerprint` of a claim of POST /v1/x402/settle: no input of a call is bound to it. */
export const NO_INPUT = ''

export interface StateFacts {
  state: StoredState
  prepaid: boolean
  fingerprint: string
  ledger_id: string | null
  /** By the database's clock. */
  is_leased: boolean
}

/** The state of a row. */
export function stateOf(row: StateFacts): ClaimState {
  const { is_leased: isLeased } = row
  switch (row.state) {
    case 'claimed':
      if (row.ledger_id === null) return isLeased ? 'working' : 'abandoned'
      if (row.prepaid) return isLeased ? 'redeeming' : 'paid_ahead'
      return isLeased ? 'streaming' : 'interrupted'
    case 'prepaid':
      return row.prepaid ? 'paid_ahead' : 'interrupted'
    case 'settled':
      return isAhead(row) && !row.prepaid ? 'settled_ahead' : 'settled'
    case 'settling':
    case 'released':
    case 'failed':
      return row.state
  }
}

/** Whether POST /v1/x402/settle made the claim, for a request id instead of an input. */
export function isAhead({ prepaid, fingerprint }: StateFacts): boolean {
  return prepaid || fingerprint === NO_INPUT
}
