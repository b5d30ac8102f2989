/**
 * The contract suite that every plugin, skill and rail must pass, run from outside against a
 * gateway that serves them: `import { runContract } from '@coinop/gateway/testkit'`. A third party points it
 * at a sandbox gateway with its plugin loaded.
 */
import { send, type ContractTarget } from './ask.ts'
import {
  expectKnownMembers,
  SkillContract,
  type OpenApi,
  type Price,
  type SkillFixture,
} from './skill-contract.ts'

export type { ContractTarget, SkillFixture }
export { startTestGateway, type TestGateway } from './gateway.ts'

/** How one check of one skill ended; `message` says what was expected and what came. */
export interface ContractCheck {
  skill: string
  check: string
  ok: boolean
  message: string
}

/** Runs every check for every fixture; a failed one says what was expected and what came. */
export async function runContract(
  target: ContractTarget,
  fixtures: readonly SkillFixture[],
): Promise<ContractCheck[]> {
  const prices = ((await send(target, 'GET', '/v1/prices')).json as { skills: Price[] }).skills
  const openApi = (await send(target, 'GET', '/openapi.json')).json as OpenApi
  const checks: ContractCheck[] = []
  for (const fixture of fixtures) {
    const known = await settle(fixture.skill, 'its fixture is spelled right', async () =>
      expectKnownMembers(fixture),
    )
    if (!known.ok) checks.push(known)
    const price = prices.find(({ skill }) => skill === fixture.skill)
    if (!price) {
      checks.push({
        skill: fixture.skill,
        check: 'is priced',
        ok: false,
        message: 'GET /v1/prices does not list it',
      })
      continue
    }
    const suite = new SkillContract(target, fixture, price, openApi)
    for (const [check, run] of suite.checks()) {
      checks.push(await settle(fixture.skill, check, run))
    }
  }
  return checks
}

async function settle(
  skill: string,
  check: string,
  run: () => Promise<void>,
): Promise<ContractCheck> {
  try {
    await run()
    return { skill, check, ok: true, message: '' }
  } catch (error) {
    return {
      skill,
      check,
      ok: false,
      message: error instanceof Error ? error.message : String(error),
    }
  }
}
