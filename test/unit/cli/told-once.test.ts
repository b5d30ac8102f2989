import { expect, it } from 'vitest'
import { toldOnce } from '../../../cli/told-once.ts'
import type { ProductProblem } from '../../../kernel/plugins/product-desk.ts'

const problem = (productId: string, file: string | null, message: string): ProductProblem => ({
  productId,
  file,
  stage: 'plugin',
  problems: [{ file, line: 5, column: 9, path: 'plugin', pointer: '/plugin', message }],
  since: new Date(0),
  serving: null,
})

it('a stored revision that is refused as its changed file is told once, by the file', () => {
  const stored = problem('loud', null, 'plugin loud is not loaded')
  const file = problem('loud', 'products/loud.yaml', 'plugin loud is not loaded')
  expect(toldOnce([stored, file])).toEqual([file])
  expect(toldOnce([stored])).toEqual([stored])
})

it('what differs is told', () => {
  const all = [
    problem('loud', null, 'plugin loud is not loaded'),
    problem('loud', 'products/loud.yaml', 'plugin proxy failed in ready: ECONNREFUSED'),
    problem('quiet', 'products/quiet.yaml', 'plugin loud is not loaded'),
  ]
  expect(toldOnce(all)).toEqual(all)
})
