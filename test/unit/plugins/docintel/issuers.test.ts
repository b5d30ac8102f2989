import { expect, it } from 'vitest'
import { readDocument } from '../../../../plugins/docintel/pipeline.ts'
import { DRAWN_WEST } from '../../../support/docintel-fixtures/issuers/drawn-west.ts'
import { DRAWN_WORLD } from '../../../support/docintel-fixtures/issuers/drawn-world.ts'
import { FIFTH } from '../../../support/docintel-fixtures/issuers/fifth.ts'
import { FOURTH_EUROPE } from '../../../support/docintel-fixtures/issuers/fourth-europe.ts'
import { FOURTH_GERMANY } from '../../../support/docintel-fixtures/issuers/fourth-germany.ts'
import { FOURTH_WEB } from '../../../support/docintel-fixtures/issuers/fourth-web.ts'
import { FOURTH_WORLD } from '../../../support/docintel-fixtures/issuers/fourth-world.ts'
import { drawScene } from '../../../support/docintel-fixtures/issuers/scene.ts'
import { SECOND } from '../../../support/docintel-fixtures/issuers/second.ts'
import { inventedNumbers, judge } from '../../../support/docintel-fixtures/score.ts'

const FOURTH = [...FOURTH_EUROPE, ...FOURTH_GERMANY, ...FOURTH_WEB, ...FOURTH_WORLD]
const DRAWN = [...DRAWN_WEST, ...DRAWN_WORLD, ...SECOND, ...FOURTH, ...FIFTH].flatMap(
  ({ scene, ...fixture }) => (scene === undefined ? [] : [{ ...fixture, scene }]),
)

it.each(DRAWN)('reads total, date and number of: $name', async ({ scene, style, truth }) => {
  const outcome = await readDocument({
    source: { kind: 'application/pdf', bytes: drawScene(scene, style) },
    preferred: 'invoice',
    tier: 'auto',
    nowMs: Date.UTC(2026, 0, 1),
    ocr: 'off',
    ocrBudgetMs: 1,
  })
  if (!outcome.ok) throw new Error(outcome.message)
  expect(judge(outcome.result, truth)).toMatchObject({ total: 'right', date: 'right', id: 'right' })
  expect(inventedNumbers(outcome.result, outcome.text)).toEqual([])
})

it('reads an invoice whose terms fill the next pages', async () => {
  const terms = Array.from(
    { length: 50 },
    () =>
      '+14: 40 The customer shall pay the amount that is due to us by the date on the front of the bill',
  ).join('\n')
  const { scene, truth } = DRAWN.find((f) => f.name.startsWith('dutch telecom, to be debited'))!
  const outcome = await readDocument({
    source: { kind: 'application/pdf', bytes: drawScene(`${scene.trim()}\n---\n${terms}`) },
    preferred: 'invoice',
    tier: 'auto',
    nowMs: Date.UTC(2026, 0, 1),
    ocr: 'off',
    ocrBudgetMs: 1,
  })
  if (!outcome.ok) throw new Error(outcome.message)
  expect(judge(outcome.result, truth)).toMatchObject({ total: 'right', date: 'right', id: 'right' })
})
