/** specs/openapi.json is what the gateway serves: a change of the API shows in the diff. */
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGateway({ SANDBOX_CHAIN: 'false' })
})
afterAll(async () => {
  await gateway.stop()
})

it('matches the published document (npx vitest run test/e2e/openapi.test.ts -u writes it anew)', async () => {
  const served = (await gateway.call('GET', '/openapi.json')).text.replaceAll(
    gateway.url,
    'http://127.0.0.1:4020',
  )
  const text = `${JSON.stringify(JSON.parse(served), null, 2)}\n`
  await expect(text).toMatchFileSnapshot(resolve(import.meta.dirname, '../../specs/openapi.json'))
})
