/** The decision table of a settlement, row by row as it stands at the head of verdict.ts. */
import { describe, expect, it } from 'vitest'
import { verdictOn, type Facts, type Verdict } from '../../../../plugins/x402/settle/verdict.ts'

const codes = { nonceUsed: 'nonce_used', expired: 'expired' }
const none = { kind: 'none' } as const
const refused = { kind: 'refused', reason: 'bad_signature', detail: 'why' } as const
const unknown = { kind: 'unknown', detail: 'timeout', hasReverted: false, by: 'fac' } as const
const nonceUsed = { ...unknown, detail: 'nonce_used' }

const noNode = { fact: 'no node' } as const
const paid = { fact: 'paid', transaction: '0x7a' } as const
const voided = { fact: 'void', reason: 'authorization_cancelled' } as const
const used = { fact: 'used' } as const
const unused = { fact: 'unused', expired: false, block: 7n } as const
const expired = { ...unused, expired: true }
const unreachable = { fact: 'unreachable', detail: 'timeout' } as const

const asRefused = { outcome: 'refused', reason: 'bad_signature', detail: 'why' } as const
const asExpired = { outcome: 'refused', reason: 'expired' } as const
const askNext = { outcome: 'ask next' } as const

const verdictOf = (
  answer: Facts['answer'],
  mayHavePaid: boolean,
  chain: Facts['chain'],
  { isDoubtfulReason = false, isUnchecked = false } = {},
): Verdict => verdictOn({ answer, mayHavePaid, chain, isDoubtfulReason, isUnchecked, codes })

describe('what the chain shows decides, whatever was answered', () => {
  describe.each([
    ['nothing yet', none],
    ['a refusal', refused],
    ['no known outcome', unknown],
  ] as const)('after %s', (_, answer) => {
    it.each([true, false])('an earlier attempt may have paid: %s', (mayHavePaid) => {
      expect(verdictOf(answer, mayHavePaid, paid)).toEqual({
        outcome: 'settled',
        transaction: '0x7a',
        by: 'chain',
      })
      expect(verdictOf(answer, mayHavePaid, voided)).toEqual({
        outcome: 'refused',
        reason: 'nonce_used',
        detail: 'authorization_cancelled',
      })
      expect(verdictOf(answer, mayHavePaid, used)).toMatchObject({ outcome: 'open' })
    })
  })
})

describe('a payment that nobody was asked about before the work', () => {
  const usedUp = { outcome: 'refused', reason: 'nonce_used' }
  const mined = { ...refused, failedInBlock: 7n }
  it.each([
    ['is refused where it had paid before it was sent', refused, false, paid, usedUp],
    ['also where its transaction is too old to be found', refused, false, used, usedUp],
    [
      'has settled where another sent it after this one',
      mined,
      false,
      paid,
      { outcome: 'settled' },
    ],
    ['or where an earlier attempt may have paid', refused, true, paid, { outcome: 'settled' }],
    ['is refused for its own reason while it is unused', refused, false, unused, asRefused],
  ] as const)('%s', (_, answer, mayHavePaid, chain, expected) => {
    expect(verdictOf(answer, mayHavePaid, chain, { isUnchecked: true })).toMatchObject(expected)
  })
})

type Row = [name: string, answer: Facts['answer'], chain: Facts['chain'], expected: Verdict]

describe('when an earlier attempt may have paid', () => {
  const rows: Row[] = [
    ['an expired authorization ends the doubt', none, expired, asExpired],
    ['and a refusal agrees with that', refused, expired, asExpired],
    ['an unused one leaves it open to the next settler', none, unused, askNext],
    ['a refusal is no proof that nothing moved', refused, unused, askNext],
    ['nor without an answer of the node', refused, unreachable, askNext],
    ['nor without a node', refused, noNode, askNext],
    [
      'without a node a used nonce means that the attempt paid',
      nonceUsed,
      noNode,
      { outcome: 'settled', transaction: '', by: 'fac' },
    ],
  ]
  it.each(rows)('%s', (_, answer, chain, expected) => {
    expect(verdictOf(answer, true, chain)).toEqual(expected)
  })
})

describe('a refusal that no earlier attempt casts doubt on', () => {
  const failed = { ...refused, failedInBlock: 7n }
  const saysExpired = { kind: 'refused', reason: 'expired' } as const
  const rows: [...Row, boolean?][] = [
    ['counts as it is without a node', refused, noNode, asRefused, true],
    [
      'counts when its own transaction failed and nothing is used since',
      failed,
      unused,
      asRefused,
      true,
    ],
    [
      'is open when the node lags behind that block',
      { ...failed, failedInBlock: 8n },
      unused,
      { outcome: 'open', uncertain: true, detail: 'bad_signature' },
      true,
    ],
    [
      'is open when settlers also say so after paying',
      refused,
      unused,
      { outcome: 'open', uncertain: true, detail: 'bad_signature' },
      true,
    ],
    [
      'is open as an expiry that no node can confirm',
      saysExpired,
      unreachable,
      { outcome: 'open', uncertain: true, detail: 'expired' },
    ],
    ['counts as an expiry that the node can confirm', saysExpired, expired, asExpired],
    ['counts for an unused authorization', refused, unused, asRefused],
    ['counts while the node is silent', refused, unreachable, asRefused],
  ]
  it.each(rows)('%s', (_, answer, chain, expected, isDoubtfulReason) => {
    expect(verdictOf(answer, false, chain, { isDoubtfulReason })).toEqual(expected)
  })
})

describe('an answer without a known outcome, on the first attempt', () => {
  const reverted = { ...unknown, hasReverted: true }
  const rows: Row[] = [
    [
      'refuses an expired authorization, which its attempt may have used',
      unknown,
      expired,
      asExpired,
    ],
    ['asks the next settler when its own transaction reverted', reverted, expired, askNext],
    ['asks the next settler while the authorization is unused', unknown, unused, askNext],
    ['asks the next settler while the node is silent', unknown, unreachable, askNext],
    [
      'without a node, a used nonce was used up by the payer',
      nonceUsed,
      noNode,
      { outcome: 'refused', reason: 'nonce_used' },
    ],
    ['without a node, any other answer asks the next settler', unknown, noNode, askNext],
  ]
  it.each(rows)('%s', (_, answer, chain, expected) => {
    expect(verdictOf(answer, false, chain)).toEqual(expected)
  })
})
