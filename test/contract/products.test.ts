/** The shared contract suite against every skill that ships, on the real gateway. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Annotations } from '../../kernel/plugins/skill.ts'
import { runContract, type ContractCheck } from '../../testkit/index.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { fixtures } from './fixtures.ts'

/** Skills whose calls need an endpoint, a destination or a page of their own first, and where they are shown. */
const SHOWN_ELSEWHERE: Record<string, string> = {
  'webinfra.webhook_ingress': 'test/unit/plugins/webinfra, test/e2e/webinfra-crash.test.ts',
  'webinfra.webhook_replay': 'test/unit/plugins/webinfra, test/e2e/webinfra-crash.test.ts',
  'utils.screenshot': 'test/e2e/screenshot.test.ts',
  'utils.extract_batch': 'test/e2e/screenshot-gateway.test.ts',
}

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGateway({ RATE_LIMIT_RPM: '100000', RATE_LIMIT_BURST: '10000' })
})
afterAll(async () => {
  await gateway.stop()
})

describe('contract', () => {
  it.each(fixtures.map((fixture) => [fixture.skill, fixture] as const))(
    '%s',
    async (_skill, fixture) => {
      const checks = await runContract(gateway, [fixture])
      const failed = checks.filter((check: ContractCheck) => !check.ok)
      expect(failed).toEqual([])
      expect(checks.length).toBeGreaterThan(5)
    },
    120_000,
  )

  it('has a fixture for every priced skill', async () => {
    const { json } = await gateway.call('GET', '/v1/prices')
    const priced = new Set(json.skills.map((row: { skill: string }) => row.skill))
    const covered = new Set(fixtures.map((fixture) => fixture.skill))
    expect(
      [...priced].filter(
        (skill) => !covered.has(skill as string) && !SHOWN_ELSEWHERE[skill as string],
      ),
    ).toEqual([])
  })

  it('has tools that only read and may be repeated, but for the two of webhooks', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const { json } = await gateway.call('POST', '/mcp', { body })
    const hints = json.result.tools.map(
      ({ name, annotations }: { name: string; annotations: Annotations }) => [
        name,
        annotations.readOnlyHint,
        annotations.idempotentHint,
      ],
    )
    expect(hints.length).toBeGreaterThan(10)
    expect(hints.filter(([, reads, repeats]: boolean[]) => !reads || !repeats)).toEqual([
      ['relay.webhook', false, true],
      ['replay.webhook', false, false],
    ])
  })

  it('describes its tools in few bytes: agents pay for them in every session', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const { json } = await gateway.call('POST', '/mcp', { body })
    const sizes = json.result.tools.map(
      (tool: object) => Buffer.byteLength(JSON.stringify(tool)) as number,
    )
    expect(sizes.length).toBeGreaterThan(10)
    expect(Math.max(...sizes)).toBeLessThan(7_000)
    expect(sizes.reduce((sum: number, size: number) => sum + size, 0)).toBeLessThan(46_000)
  })
})
