import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseProducts } from '../../../host/product-files/parse.ts'
import { formatProblem } from '../../../kernel/products/problem.ts'
import { productJsonSchema } from '../../../host/product-files/document.ts'
import { DECLARED } from '../../support/declared.ts'

const root = resolve(import.meta.dirname, '../../..')

// After a wanted change: `npx vitest run test/unit/products/schema.test.ts -u`.
test('specs/product.schema.json is the schema that specs are held to', async () => {
  const text = `${JSON.stringify(productJsonSchema(), null, 2)}\n`
  await expect(text).toMatchFileSnapshot(join(root, 'specs/product.schema.json'))
})

test.each([
  ['every variable', new Proxy({}, { get: () => 'http://upstream.example' })],
  ['no variable', {}],
])('every shipped product file is a valid spec with %s set', (_, env) => {
  const files = readdirSync(join(root, 'products')).filter((name) => name.endsWith('.yaml'))
  expect(files).toContain('demo.yaml')
  for (const name of files) {
    const text = readFileSync(join(root, 'products', name), 'utf8')
    const problems = parseProducts(text, {
      file: `products/${name}`,
      env,
      variables: DECLARED,
    }).flatMap((product) =>
      product.ok || product.isElsewhere ? [] : product.problems.map(formatProblem),
    )
    expect(problems).toEqual([])
  }
})
