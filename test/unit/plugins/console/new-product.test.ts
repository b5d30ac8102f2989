import { expect, it } from 'vitest'
import { productReader } from '../../../../host/product-files/index.ts'
import { NEW_PRODUCT } from '../../../../plugins/console/page/views/new-product.ts'

it('what the editor begins with is a product, also with the line that is commented out', () => {
  const parse = (text: string, env: Record<string, string>) =>
    productReader.parse(text, { file: null, env, variables: [] })
  expect(parse(NEW_PRODUCT, {})).toMatchObject([{ ok: true, warnings: [] }])
  const whole = NEW_PRODUCT.replace('# headers', 'headers')
  const [product] = parse(whole, { PRODUCT_EXAMPLE_TOKEN: 'secret' })
  expect(product).toMatchObject({
    ok: true,
    spec: { upstream: { headers: { Authorization: 'Bearer secret' } } },
  })
})
