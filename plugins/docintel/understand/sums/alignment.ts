/**
 * Puts right which amount belongs to which label where every cell stands in a row of its own. In a
 * tilted scan an amount may come before its label, or two labels before their two amounts; of the
 * pairings within reach, the one that stays nearest and whose sums agree is taken.
 */
import { saysNothing, type Pair } from './across-rows.ts'
import { looksLikeMoney, pickAmount } from '../marks/amounts.ts'
import type { MoneyLine } from '../marks/money-line.ts'
import type { RowMoney } from '../marks/row-money.ts'
import { runSums, type RunSums } from './run-sums.ts'
import { disagreement, type Figures } from './sums-agree.ts'

interface Node {
  entry: RowMoney
  /** Place among the rows that say something. */
  at: number
}
interface Segment {
  labels: Node[]
  values: Node[]
}
interface State {
  cost: number
  chosen: (Node | null)[]
}

const LABELS_MAX = 14
const VALUES_MAX = 24
const BEAM = 240
/** Sums stand at the end: of a long text only the last stretches are looked into. */
const SEGMENTS_MAX = 6
const REACH = 6
/** Rows that are neither label nor amount between two of one segment. */
const GAP_MAX = 2
/** A new pairing must beat the plain one by this. */
const MARGIN = 0.35
/** A total that is the sum of what stands above it, and one that is a part of such a sum. */
const SUM_BONUS = -1.3
const PART_COST = 0.9
const IGNORED = new Set(['other', 'count'])

/** Stretches of rows that are labels or amounts alone. */
function segmentsOf(entries: RowMoney[]): Segment[] {
  const segments: Segment[] = []
  let segment: Segment = { labels: [], values: [] }
  let last = -10
  let at = 0
  // Where no amount has decimals, whole numbers are the prices.
  const whole = !entries.some((e) => e.amounts.some((a) => a.decimals === 2 && !a.percent))
  const close = (): void => {
    if (segment.labels.length > 0 && segment.values.length > 0) segments.push(segment)
    segment = { labels: [], values: [] }
  }
  for (const entry of entries) {
    if (saysNothing(entry)) continue
    at++
    if (entry.inSummary) {
      close()
      continue
    }
    const isLabel = entry.label !== null && !IGNORED.has(entry.label)
    const isValue =
      entry.onlyAmounts &&
      entry.amounts.some((a) => looksLikeMoney(a) || (whole && a.value >= 10 && !a.percent))
    if (!isLabel && !isValue) continue
    if (at - last > GAP_MAX + 1) close()
    last = at
    if (isLabel) segment.labels.push({ entry, at })
    // Of the amounts above the first label only the last two can be in reach.
    else if (segment.labels.length === 0)
      segment.values = [...segment.values.slice(-1), { entry, at }]
    else segment.values.push({ entry, at })
    if (segment.labels.length >= LABELS_MAX || segment.values.length >= VALUES_MAX) close()
  }
  close()
  return segments
}

/** What it costs to read a label `distance` rows above (negative: below) its amount. */
function distanceCost(distance: number): number {
  if (distance === 1) return 0
  if (distance === 2) return 0.6
  if (distance > 2) return 0.6 + 0.45 * (distance - 2)
  return distance === -1 ? 0.8 : -0.9 * distance - 0.3
}

const valueOf = (node: Node): number => pickAmount(node.entry.amounts)?.value ?? 0

function figuresOf(
  segment: Segment,
  chosen: (Node | null)[],
  fixed: readonly MoneyLine[],
): Figures {
  const figures: Figures = new Map()
  const add = (label: string, value: number): void => {
    figures.set(label, [...(figures.get(label) ?? []), value])
  }
  for (const line of fixed) if (!line.inSummary) add(line.label, line.amount.value)
  for (const [i, node] of chosen.entries()) {
    const { label } = segment.labels[i]!.entry
    if (node && label) add(label, valueOf(node))
  }
  return figures
}

/** Cost of amounts that stay without a label between the labels. */
function leftOver(segment: Segment, chosen: (Node | null)[]): number {
  const last = segment.labels.at(-1)!.at
  const first = segment.labels[0]!.at
  return segment.values
    .filter((v) => !chosen.includes(v))
    .reduce((sum, v) => sum + (v.at > first && v.at < last ? 0.7 : 0.2), 0)
}

/** What the sums say of a pair: a total is one, and no mere part of one. */
function arithmetic(label: Node, value: Node | null, { sums, parts }: RunSums): number {
  const kind = label.entry.label!
  if (!value || !(kind.startsWith('total') || kind === 'subtotal')) return 0
  if (sums.has(value.entry)) return SUM_BONUS
  return parts.has(value.entry) && kind !== 'subtotal' ? PART_COST : 0
}

function best(
  segment: Segment,
  plain: (Node | null)[],
  fixed: readonly MoneyLine[],
  runs: RunSums,
): State {
  let beam: State[] = [{ cost: 0, chosen: [] }]
  for (const [i, label] of segment.labels.entries()) {
    const next: State[] = []
    for (const state of beam) {
      const unpaired = label.entry.label!.startsWith('total') ? 1.6 : 1
      next.push({ cost: state.cost + (plain[i] ? unpaired : 0.3), chosen: [...state.chosen, null] })
      for (const value of segment.values) {
        const distance = value.at - label.at
        const isPlain = plain[i] === value
        if ((Math.abs(distance) > REACH && !isPlain) || state.chosen.includes(value)) continue
        const crossing = state.chosen.some((v) => v !== null && v.at > value.at) ? 0.5 : 0
        const cost = (isPlain ? 0 : distanceCost(distance)) + arithmetic(label, value, runs)
        next.push({ cost: state.cost + cost + crossing, chosen: [...state.chosen, value] })
      }
    }
    beam = next.toSorted((a, b) => a.cost - b.cost).slice(0, BEAM)
  }
  const scored = beam.map((state) => ({
    ...state,
    cost:
      state.cost +
      leftOver(segment, state.chosen) +
      disagreement(figuresOf(segment, state.chosen, fixed)),
  }))
  return scored.toSorted((a, b) => a.cost - b.cost)[0]!
}

/**
 * `pairs` with those replaced whose sums agree better with other amounts in reach. `fixed` are the
 * lines that stand label and amount in one row.
 */
export function realign(
  pairs: readonly Pair[],
  entries: RowMoney[],
  fixed: readonly MoneyLine[],
): Pair[] {
  let result = [...pairs]
  const runs = runSums(entries)
  for (const segment of segmentsOf(entries).slice(-SEGMENTS_MAX)) {
    const plain = segment.labels.map((label) => {
      const pair = pairs.find((p) => p.label === label.entry)
      return segment.values.find((v) => v.entry === pair?.value) ?? null
    })
    const plainCost =
      leftOver(segment, plain) +
      disagreement(figuresOf(segment, plain, fixed)) +
      segment.labels.reduce((cost, l, i) => cost + arithmetic(l, plain[i] ?? null, runs), 0)
    const found = best(segment, plain, fixed, runs)
    if (found.cost > plainCost - MARGIN) continue
    const own = new Set(segment.labels.map((l) => l.entry))
    const taken = new Set(found.chosen.flatMap((v) => (v ? [v.entry] : [])))
    result = result.filter((p) => !own.has(p.label) && !taken.has(p.value))
    for (const [i, value] of found.chosen.entries()) {
      if (!value) continue
      const label = segment.labels[i]!
      result.push({
        label: label.entry,
        value: value.entry,
        pairing: value.at === label.at + 1 ? 'below' : 'sequence',
      })
    }
  }
  return result
}
