/** Runs of labels joined with the runs of amounts that follow them, in the order of the rows. */
import type { Pairing } from '../marks/money-line.ts'
import type { RowMoney } from '../marks/row-money.ts'

/** A label's row and the row of its amount. */
export interface Pair {
  label: RowMoney
  value: RowMoney
  pairing: Pairing
}

const MARK_ONLY = /^(?:RM|MYR|EUR|USD|GBP|KES|KSH|UGX|TZS|NGN|INR|RS|IDR|RP|S|SR|ZR|ZRL)?$/

/** A currency mark or a tax letter alone in its row. */
export const saysNothing = (entry: RowMoney): boolean =>
  entry.amounts.length === 0 && MARK_ONLY.test(entry.folded)

interface Run {
  start: number
  entries: RowMoney[]
}

function runsOf(entries: RowMoney[], test: (entry: RowMoney) => boolean): Run[] {
  const runs: Run[] = []
  for (const [at, entry] of entries.entries()) {
    if (!test(entry)) continue
    const last = runs.at(-1)
    if (last && last.start + last.entries.length === at) last.entries.push(entry)
    else runs.push({ start: at, entries: [entry] })
  }
  return runs
}

/** Labels alone in their rows joined with the amount-only rows that follow them. */
export function pairsAcrossRows(all: RowMoney[], heads: ReadonlySet<number>): Pair[] {
  // A mark alone in its row ("RM") stands between a label and its amount and says nothing.
  const entries = all.filter((e) => !saysNothing(e))
  const pairs: Pair[] = []
  const labelRuns = runsOf(
    entries,
    (e) =>
      e.label !== null && e.label !== 'other' && e.label !== 'count' && !heads.has(e.row.index),
  )
  const amountRuns = runsOf(entries, (e) => e.onlyAmounts && e.amounts.some((a) => !a.percent))
  const byStart = new Map(amountRuns.map((run) => [run.start, run]))
  const openLabels: RowMoney[] = []
  const used = new Set<Run>()
  for (const run of labelRuns) {
    const values = byStart.get(run.start + run.entries.length)
    if (!values) {
      openLabels.push(...run.entries)
      continue
    }
    used.add(values)
    const labels = run.entries
    if (labels.length <= values.entries.length) {
      for (const [i, label] of labels.entries()) {
        pairs.push({
          label,
          value: values.entries[i]!,
          pairing: labels.length === 1 ? 'below' : 'sequence',
        })
      }
      continue
    }
    const offset = labels.length - values.entries.length
    openLabels.push(...labels.slice(0, offset))
    for (const [i, value] of values.entries.entries()) {
      pairs.push({ label: labels[offset + i]!, value, pairing: 'sequence' })
    }
  }
  // What is left over: as many labels as a later run has amounts belong together in order, also where
  // other text stands between them.
  const openBefore = (run: Run): RowMoney[] =>
    openLabels.filter(({ row }) => row.index < run.entries[0]!.row.index)
  const fitting = amountRuns.filter(
    (run) =>
      !used.has(run) && run.entries.length > 1 && openBefore(run).length === run.entries.length,
  )
  if (fitting.length === 1)
    for (const [i, label] of openBefore(fitting[0]!).entries()) {
      pairs.push({ label, value: fitting[0]!.entries[i]!, pairing: 'sequence' })
    }
  return pairs
}
