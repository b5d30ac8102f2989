/** products/x402.yaml goes and comes back while the gateway runs, and so does all of x402. */
import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, GatewayProcess } from '../support/gateway.ts'
import { withoutChain } from '../support/x402/chain.ts'
import type { TestFacilitator } from '../support/x402/facilitator.ts'
import { comeBack, payOnce, until, x402Gateways } from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'

const DOCUMENTS = ['/openapi.json', '/v1/prices', '/llms.txt']

describe.skipIf(withoutChain('x402 over a reload of its product'))('x402.yaml', () => {
  const ground = x402Ground()
  const gateways = x402Gateways(ground)
  const folder = mkdtempSync(join(tmpdir(), 'coinop-x402-reload-'))
  const products = join(folder, 'products')
  let facilitator: TestFacilitator
  let gateway: GatewayProcess

  const unpaid = (): Promise<Answer> => gateway.call('POST', '/v1/paid/echo', { body: {} })
  const isOffered = async (): Promise<boolean> => (await unpaid()).headers.has('payment-required')
  const textOf = async (path: string): Promise<string> => (await gateway.call('GET', path)).text

  beforeAll(async () => {
    cpSync(resolve(import.meta.dirname, '../../products'), products, { recursive: true })
    facilitator = ground.facilitator(['settle_then_hang'])
    gateway = await gateways.start({
      ...gateways.settlingBy(facilitator),
      PRODUCTS_DIR: products,
    })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('removed leaves no trace and sells by credits; put back it goes on where it was', async () => {
    const before = await ground.received()
    const documents = await Promise.all(DOCUMENTS.map(textOf))
    const discovery = await gateway.call('GET', '/.well-known/x402')
    expect(discovery.json).toMatchObject({ x402_available: true })
    const payment = await gateways.signed(gateway)
    const underWay = payOnce(gateway, payment)
    await until(async () => (await ground.received()) > before)

    renameSync(join(products, 'x402.yaml'), join(folder, 'x402.yaml'))
    await until(async () => !(await isOffered()))
    const answer = await unpaid()
    expect(answer.status).toBe(402)
    expect(answer.text).not.toMatch(/x402/i)
    expect([...answer.headers.keys()]).not.toContain('payment-required')
    for (const path of DOCUMENTS) {
      const text = await textOf(path)
      expect(/.{0,60}(x402|payment-signature).{0,60}/i.exec(text)?.[0], path).toBeUndefined()
    }
    for (const path of ['/.well-known/x402', '/.well-known/x402.json']) {
      expect((await gateway.call('GET', path)).status).toBe(404)
    }
    const challenge = { body: { skill: 'demo.echo' } }
    expect((await gateway.call('POST', '/v1/x402/challenge', challenge)).status).toBe(404)
    const { key } = await gateway.key(10)
    const sold = await gateway.call('POST', '/v1/paid/echo', {
      body: { message: 'hi' },
      headers: { 'x-api-key': key },
    })
    expect(sold.json).toMatchObject({ message: 'hi' })

    renameSync(join(folder, 'x402.yaml'), join(products, 'x402.yaml'))
    await until(isOffered)
    expect(await Promise.all(DOCUMENTS.map(textOf))).toEqual(documents)
    expect((await gateway.call('GET', '/.well-known/x402')).json).toEqual(discovery.json)
    expect((await gateway.call('POST', '/v1/x402/challenge', challenge)).status).toBe(200)
    facilitator.letGo()
    expect([200, 503]).toContain((await underWay).status)
    const settled = await comeBack(() => payOnce(gateway, payment))
    expect(settled.status, settled.text).toBe(200)
    expect((await ground.received()) - before).toBe(10_000n)
  })
})
