/** Why one sum is the total and another is not, in the names of the rules. */
import { expect, it } from 'vitest'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { labelledAmounts } from '../../../../plugins/docintel/understand/marks/labelled-amounts.ts'
import { findMoneyLines } from '../../../../plugins/docintel/understand/sums/money-lines.ts'
import { readRowMoney } from '../../../../plugins/docintel/understand/marks/row-money.ts'
import { totalCandidates } from '../../../../plugins/docintel/understand/sums/total-candidates.ts'

it('a candidate names the rules that speak for it and against it', () => {
  const text = 'MILK 5.00\nBREAD 5.02\nTOTAL 10.02\nDEPOSIT 4.00\nBALANCE DUE 6.02'
  const entries = readRowMoney(documentFromText(text), '.')
  const candidates = totalCandidates(labelledAmounts(findMoneyLines(entries)), entries, 10.02)
  const explained = candidates.map(({ line, score }) => [
    line.amount.value,
    score.because.map(({ rule, points }) => `${rule} ${points}`),
    score.confirmed,
  ])
  expect(explained).toEqual([
    [10.02, ['label 3.4', 'sum of the items 0.5'], 1],
    [6.02, ['label 4.4', 'left after a payment -3'], 0],
  ])
})
