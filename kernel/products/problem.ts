import type { SpecProblem } from '../plugins/product-desk.ts'

/** A problem of a whole file, or of whatever `file` names, without a place. */
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
  // Some messages already name the key: 'base_path /v1/x of a is taken by b'.
  const isNamed = problem.message.startsWith(`${problem.path.replace(/s$/, '')} `)
  const path = isNamed ? '' : problem.path
  return [place, path, `${problem.message}${got}`].filter((part) => part !== '').join(' ')
}
