/**
 * Scores heads of invoices typed as rows of text: seller, buyer, number and due day. Faults of halves A
 * and C are mended; of B and D only shares are looked at. `bun test/bench/heads.ts [--faults a]`.
 */
import { parseArgs } from 'node:util'
import { judgeHead, loadHeads } from '../support/docintel-fixtures/heads/load.ts'

const { values: options } = parseArgs({ options: { faults: { type: 'string' } } })
const table: Record<string, Record<string, string>> = {}
for (const half of ['a', 'b', 'c', 'd'] as const) {
  const counts: Record<string, { right: number; wrong: number; all: number }> = {}
  const sure = { right: 0, all: 0 }
  for (const head of loadHeads(half)) {
    const verdicts = judgeHead(head)
    for (const [field, { given, wanted, isRight, confidence }] of Object.entries(verdicts)) {
      const cell = (counts[field] ??= { right: 0, wrong: 0, all: 0 })
      cell.all++
      if (isRight) cell.right++
      else if (given !== null) cell.wrong++
      if (given !== null && confidence >= 0.95) {
        sure.all++
        if (isRight) sure.right++
      }
      if (!isRight && options.faults === half)
        console.log(`${head.name}: ${field} ${given} (${confidence}), wanted ${wanted}`)
    }
  }
  table[half] = {
    ...Object.fromEntries(
      Object.entries(counts).map(([field, { right, wrong, all }]) => [
        field,
        `${((100 * right) / all).toFixed(1)} of ${all}, ${wrong} wrong`,
      ]),
    ),
    'confidence ≥ 0.95': `${sure.right} of ${sure.all}`,
  }
}
console.table(table)
