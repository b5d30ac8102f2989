/**
 * The official conformance suite, stable and pre-release, against the real gateway: the catalogue as
 * it is sold, and a product with the suite's fixtures for the frozen requirement sets.
 */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { complaints, runConformance, type Check } from '../support/mcp-conformance.ts'
import { fixtureProduct } from '../support/mcp-fixtures/index.ts'

/** What cannot be passed, with the reason; a listed check that passes is an error, too. */
const expected = parse(
  readFileSync(join(import.meta.dirname, '../support/mcp-fixtures/expected-failures.yaml'), 'utf8'),
  { merge: true },
) as Record<'stable' | '2025-11-25' | '2026-07-28', Record<string, string>>

const passed = (checks: readonly Check[], scenario: string): boolean =>
  checks.some((check) => check.scenario === scenario) &&
  complaints(checks.filter((check) => check.scenario === scenario)).length === 0

describe('the catalogue as it is sold', () => {
  let gateway: GatewayProcess
  beforeAll(async () => {
    gateway = await startGateway({ SANDBOX_CHAIN: 'false' })
  })
  afterAll(async () => {
    await gateway.stop()
  })

  /** The scenarios that ask for no fixture. */
  it.each([
    [
      'stable, 2025-11-25',
      'stable',
      [],
      [
        'server-initialize',
        'ping',
        'tools-list',
        'resources-list',
        'prompts-list',
        'dns-rebinding-protection',
      ],
    ],
    [
      'pre-release, 2025-11-25',
      'next',
      ['--requirements', '2025-11-25'],
      [
        'server-initialize',
        'ping',
        'tools-list',
        'resources-list',
        'prompts-list',
        'dns-rebinding-protection',
      ],
    ],
    [
      'pre-release, 2026-07-28',
      'next',
      ['--requirements', '2026-07-28'],
      [
        'tools-list',
        'resources-list',
        'prompts-list',
        'caching',
        'sep-2164-resource-not-found',
        'server-sse-multiple-streams',
        'dns-rebinding-protection',
        'http-header-validation',
        'input-required-result-unsupported-methods',
        'input-required-result-validate-input',
      ],
    ],
  ] as const)(
    'passes every scenario without fixtures: %s',
    async (_name, suite, args, scenarios) => {
      const checks = await runConformance(suite, `${gateway.url}/mcp`, args)
      expect(scenarios.filter((scenario) => !passed(checks, scenario))).toEqual([])
      // What fails of server-stateless is only what needs a tool of the suite.
      const stateless = checks.filter(({ scenario }) => scenario === 'server-stateless')
      for (const { message } of stateless.filter(({ status }) => status === 'FAILURE'))
        expect(message).toContain('Not testable')
    },
  )
})

describe('a product with the fixtures of the suite', () => {
  const products = mkdtempSync(join(tmpdir(), 'coinop-mcp-fixtures-'))
  const plugins = mkdtempSync(join(tmpdir(), 'coinop-mcp-plugins-'))
  let gateway: GatewayProcess
  beforeAll(async () => {
    symlinkSync(
      resolve(import.meta.dirname, '../support/mcp-fixtures'),
      join(plugins, 'mcp-fixtures'),
    )
    writeFileSync(join(products, 'mcp.yaml'), readFileSync('products/mcp.yaml'))
    writeFileSync(join(products, 'fixtures.yaml'), fixtureProduct())
    gateway = await startGateway({
      PRODUCTS_DIR: products,
      PLUGINS_DIR: plugins,
      SANDBOX_CHAIN: 'false',
    })
  })
  afterAll(async () => {
    await gateway.stop()
    for (const folder of [products, plugins]) rmSync(folder, { recursive: true, force: true })
  })

  it.each([
    ['stable', 'stable', []],
    ['2025-11-25', 'next', ['--requirements', '2025-11-25']],
    ['2026-07-28', 'next', ['--requirements', '2026-07-28']],
  ] as const)('passes the whole set %s, what is listed aside', async (set, suite, args) => {
    const checks = await runConformance(suite, `${gateway.url}/mcp`, args)
    expect(complaints(checks)).toEqual(Object.keys(expected[set]).sort())
  })
})
