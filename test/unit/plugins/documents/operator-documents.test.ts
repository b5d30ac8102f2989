/** Whose gateway it is, said alike in every document. */
import { expect, it } from 'vitest'
import { llmsTxt } from '../../../../plugins/documents/llms.ts'
import { openApiOf } from '../../../../plugins/documents/openapi.ts'
import type { CatalogSnapshot } from '../../../../kernel/plugins/catalog.ts'
import type { ServedProduct } from '../../../../kernel/plugins/product-desk.ts'
import { frontPage } from '../../../support/pages.ts'
import { NO_OPERATOR } from '../../../support/no-operator.ts'

const SNAPSHOT: CatalogSnapshot = {
  version: '1',
  priceVersion: 1,
  skills: [],
  tool: () => null,
}
const OPERATOR = {
  name: 'Example Ltd',
  logoUrl: 'https://example.com/logo.png',
  termsUrl: 'https://example.com/terms',
  privacyUrl: 'https://example.com/privacy',
  supportUrl: 'https://example.com/support',
}
const facts = { publicUrl: 'https://gw.example', version: '1', contactEmail: 'a@b.example' }
// oxlint-disable-next-line typescript/no-explicit-any
const info = (operator: typeof NO_OPERATOR): any =>
  openApiOf({ ...facts, operator }, [], SNAPSHOT, { list: [], creditsFirst: [] })['info']

it('OpenAPI has it in info', () => {
  expect(info(OPERATOR)).toMatchObject({
    termsOfService: OPERATOR.termsUrl,
    contact: { name: 'Example Ltd', url: OPERATOR.supportUrl, email: 'a@b.example' },
    'x-privacy-policy': OPERATOR.privacyUrl,
    'x-logo': { url: OPERATOR.logoUrl },
  })
  expect(info(NO_OPERATOR).contact).toEqual({ email: 'a@b.example' })
  expect(info(NO_OPERATOR)).not.toHaveProperty('termsOfService')
})

it('llms.txt has a part for it, and none without', () => {
  expect(llmsTxt({ ...facts, operator: OPERATOR }, SNAPSHOT, [])).toContain(
    '## Operator\n\nRun by Example Ltd.\n\n- [Terms](https://example.com/terms)\n- [Privacy](https://example.com/privacy)\n',
  )
  expect(llmsTxt({ ...facts, operator: NO_OPERATOR }, SNAPSHOT, [])).not.toContain('## Operator')
})

it('documents speak of MCP only while it is served', () => {
  const at = (basePath: string): CatalogSnapshot => {
    const served = { parts: { spec: { basePath } } } as unknown as ServedProduct
    return { ...SNAPSHOT, products: new Map([['tools', served]]) }
  }
  for (const [snapshot, isServed] of [
    [SNAPSHOT, false],
    [at('/v1/other'), false],
    [at('/mcp'), true],
  ] as const) {
    const texts = [llmsTxt({ ...facts, operator: NO_OPERATOR }, snapshot, []), frontPage(snapshot)]
    expect(texts.map((text) => text.includes('https://gw.example/mcp'))).toEqual([
      isServed,
      isServed,
    ])
  }
})
