/** The words of problems, and where in a document they are. */
import { escapePointer, type ReportProblem, type SpecPath } from '#kernel/host'

/** Refusals go to `problem`, remarks that refuse nothing to `warning`. */
export interface Findings {
  problem: ReportProblem
  warning: ReportProblem
}

/** 'skills[0].price' of ['skills', 0, 'price']. */
export function showPath(path: SpecPath): string {
  let shown = ''
  for (const step of path) {
    if (typeof step === 'number') shown += `[${step}]`
    else shown += shown === '' ? step : `.${step}`
  }
  return shown
}

/** '/skills/0/price' of ['skills', 0, 'price']. */
export function pointerOf(path: SpecPath): string {
  return path.map((step) => `/${escapePointer(String(step))}`).join('')
}

const MAX_SHOWN = 80

/** A short JSON text of a value for `got`. */
export function showValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  // Without half of a character at the end.
  return text.length > MAX_SHOWN
    ? `${text.slice(0, MAX_SHOWN).replace(/[\ud800-\udbff]$/, '')}…`
    : text
}
