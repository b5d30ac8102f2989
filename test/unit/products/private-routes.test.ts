/** The routes of a private product: closed to keys that may buy none of its skills. */
import { expect, it } from 'vitest'
import { checkRoutes, type Mounting } from '../../../kernel/products/mount.ts'
import type { Route } from '../../../kernel/plugins/route.ts'

const route = (auth: Route['auth']): Route => ({
  method: 'GET',
  path: `/v1/secret/${auth}`,
  auth,
  summary: auth,
  handler: () => new Response(),
})

it.each([
  ['private', 'key', { productId: 'secret', skillIds: ['secret.get'] }],
  ['unlisted', 'public', undefined],
])('of a product that is %s', (visibility, ofPublic, privateTo) => {
  const routes = (['public', 'key', 'admin'] as const).map(route)
  const mounting = {
    spec: {
      productId: 'secret',
      basePath: '/v1/secret',
      visibility,
      skills: [{ id: 'secret.get' }],
    },
    started: { plugin: { id: 'secret' }, instance: { routes } },
    isBuiltin: false,
  } as unknown as Mounting
  const mounted = checkRoutes(mounting, (_, message) => {
    throw new Error(message)
  })
  expect(mounted.map((one) => [one.path, one.auth, one.privateTo])).toEqual([
    ['/v1/secret/public', ofPublic, privateTo],
    ['/v1/secret/key', 'key', privateTo],
    ['/v1/secret/admin', 'admin', undefined],
  ])
})
