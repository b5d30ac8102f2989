import type { SpecProblem } from '../plugins/product-desk.ts'
import { escapePointer } from '../schema/issues.ts'

/** A place in a document: keys and indices from its root. */
export type Path = readonly (string | number)[]
export type Report = (path: Path, message: string) => void

/** Refusals go to `problem`, remarks that refuse nothing to `warning`. */
export interface Findings {
  problem: Report
  warning: Report
}

/** A problem of a file, or of something else that `file` names, as a whole. */
export function placeless(file: string | null, message: string): SpecProblem {
  return { file, line: null, column: null, path: '', pointer: '', message }
}

/** `products/utils.yaml:4:12 skills[0].price.credits must be number (got "ten")`. */
export function formatProblem(problem: SpecProblem): string {
  const place =
    problem.line === null
      ? (problem.file ?? '')
      : `${problem.file ?? 'line '}${problem.file === null ? '' : ':'}${problem.line}:${problem.column}`
  const got = problem.got === undefined ? '' : ` (got ${problem.got})`
  // A message about a whole key names it by itself: 'base_path /v1/x of a is taken by b'.
  const isNamed = problem.message.startsWith(`${problem.path.replace(/s$/, '')} `)
  const path = isNamed ? '' : problem.path
  return [place, path, `${problem.message}${got}`].filter((part) => part !== '').join(' ')
}

/** 'skills[0].price' of ['skills', 0, 'price']. */
export function showPath(path: Path): string {
  let shown = ''
  for (const step of path) {
    if (typeof step === 'number') shown += `[${step}]`
    else shown += shown === '' ? step : `.${step}`
  }
  return shown
}

/** '/skills/0/price' of ['skills', 0, 'price']. */
export function pointerOf(path: Path): string {
  return path.map((step) => `/${escapePointer(String(step))}`).join('')
}

const MAX_SHOWN = 80

/** A short JSON text of a value for `got`. */
export function showValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
