/**
 * What a confidence is worth on documents that no rule was written on, by kind of source. Invoices in
 * layouts of others are judged where `test/bench/others-invoices.ts` has prepared and drawn them
 * (`OTHERS_INVOICES` names the folder); the frozen receipts are judged everywhere.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readDocument, type ReadJob } from '../../plugins/docintel/pipeline.ts'
import { FROZEN } from '../support/docintel-fixtures/frozen.ts'
import { damage, layOut } from '../support/docintel-fixtures/noise.ts'
import { othersDocuments } from '../support/docintel-fixtures/others/documents.ts'
import { photograph } from '../support/docintel-fixtures/photo.ts'
import { seeded } from '../support/docintel-fixtures/random.ts'
import { loadLayouts } from '../support/docintel-fixtures/layouts/load.ts'
import { loadReceipts } from '../support/docintel-fixtures/receipts/load.ts'
import { CONFIDENCE_OF, judge } from '../support/docintel-fixtures/score.ts'
import { stationeryDocuments } from '../support/docintel-fixtures/stationery/documents.ts'
import type { Truth } from '../support/docintel-fixtures/types.ts'

interface Point {
  confidence: number
  isRight: boolean
}

/** The values of a document that its truth judges, with their confidence. */
async function pointsOf(
  source: ReadJob['source'],
  preferred: ReadJob['preferred'],
  truth: Truth,
): Promise<Point[]> {
  const outcome = await readDocument({
    source,
    preferred,
    tier: 'auto',
    nowMs: Date.UTC(2025, 5, 1),
    ocr: 'embedded',
    ocrBudgetMs: 400_000,
  })
  if (!outcome.ok) throw new Error(outcome.message)
  const { fields } = outcome.result.confidence
  return Object.entries(judge(outcome.result, truth)).flatMap(([field, verdict]) => {
    const confidence = fields[CONFIDENCE_OF[field] ?? '']
    if (confidence === undefined || verdict === 'missing') return []
    return [{ confidence, isRight: verdict === 'right' }]
  })
}

const BANDS = [0.95, 0.85, 0.7, 0] as const

/** Per band of confidence: how many values, and the share of them that is right. */
function curveOf(points: readonly Point[]): { from: number; values: number; right: number }[] {
  return BANDS.map((from, at) => {
    const inside = points.filter(
      ({ confidence }) => confidence >= from && confidence < (BANDS[at - 1] ?? Infinity),
    )
    const right = inside.filter(({ isRight }) => isRight).length
    return { from, values: inside.length, right: right / Math.max(1, inside.length) }
  })
}

function expectSure(points: readonly Point[], least: number): void {
  const curve = curveOf(points)
  const [sure] = curve
  expect(sure!.values, JSON.stringify(curve)).toBeGreaterThanOrEqual(least)
  expect(sure!.right, JSON.stringify(curve)).toBeGreaterThanOrEqual(0.95)
}

function expectCalibrated(points: readonly Point[], least: number): void {
  expectSure(points, least)
  const curve = curveOf(points)
  const [, likely] = curve
  expect(likely!.right, JSON.stringify(curve)).toBeGreaterThanOrEqual(0.85)
}

const SALES = [...FROZEN, ...loadReceipts('frozen-c-receipts.txt')].filter(
  ({ truth }) => truth.total !== null,
)
const PHOTOS = 8
/** Fields of the others' truth under the names that `judge` has for them. */
const TRUTH_OF: Readonly<Record<string, string>> = { net: 'subtotal', vat: 'tax' }

describe('a confidence of 0.95 is right in 95 of 100', () => {
  it('of values in text', async () => {
    const points: Point[] = []
    for (const [at, { lines, truth, skill }] of SALES.entries())
      for (const rate of [0, 0.03]) {
        const text = damage(layOut(lines, 'columns'), rate, seeded(at * 31 + 7))
        points.push(...(await pointsOf({ kind: 'text', text }, skill, truth)))
      }
    expectCalibrated(points, 150)
  })

  it('of values in photos', async () => {
    const points: Point[] = []
    for (const [at, { lines, truth, skill }] of SALES.slice(0, PHOTOS).entries()) {
      const look = { format: 'jpeg', fontSize: 26, tiltDegrees: (at % 5) - 2, grain: 40 } as const
      const photo = await photograph(
        lines,
        { ...look, family: 'DejaVu Sans Mono' },
        seeded(at * 13 + 5),
      )
      points.push(...(await pointsOf({ kind: 'image/jpeg', bytes: photo.bytes }, skill, truth)))
    }
    expectCalibrated(points, 10)
  })

  // Documents of one layout are alike: each layout has one voice.
  it('of total, net and tax in layouts whose faults were never looked at', async () => {
    const plain = stationeryDocuments('b')
      .documents.filter(({ name, layout }) => layout.maker === 'text' && name.endsWith('-1'))
      .map(({ source, truth, absent }) => ({
        text: source,
        truth: { ...truth, vat: absent.includes('vat') ? null : truth.vat },
      }))
    const points: Point[] = []
    for (const { text, truth } of [...loadLayouts('measured'), ...plain]) {
      const { total, net, vat } = truth
      const printed: Truth = {
        total,
        ...(net !== null && { subtotal: net }),
        ...(vat !== null && { tax: vat }),
      }
      points.push(...(await pointsOf({ kind: 'text', text }, 'invoice', printed)))
    }
    // Nearly all of them are that sure: the other bands have too few values for a share.
    expectSure(points, 80)
  })

  const folder = process.env['OTHERS_INVOICES'] ?? ''
  it.runIf(existsSync(join(folder, 'pdf')) && folder !== '')(
    'of values in invoices laid out by others',
    async () => {
      const { documents } = await othersDocuments(folder)
      const points: Point[] = []
      for (const { name, half, truth, absent } of documents) {
        if (half !== 'unseen') continue
        const bytes = readFileSync(join(folder, 'pdf', `${name.replaceAll(' ', '-')}.pdf`))
        const { seller: merchant, buyer, date, id, net: subtotal, vat: tax, total } = truth
        const printed: Record<string, unknown> = { merchant, buyer, date, id, subtotal, tax, total }
        for (const field of absent) delete printed[TRUTH_OF[field] ?? field]
        points.push(
          ...(await pointsOf({ kind: 'application/pdf', bytes }, 'invoice', printed as Truth)),
        )
      }
      expectCalibrated(points, 150)
    },
  )
})
