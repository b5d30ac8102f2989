/** Grants of apps while a gateway is killed: neither budget is crossed, and what was answered is paid. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyLedger } from '../../host/reporting/verify.ts'
import { callTool } from '../support/oauth.ts'
import { oauthGround, type OAuthGround } from '../support/oauth-ground.ts'

const CALLERS = 64
const PRICE = 2
/** Credits a day: the one ends in the middle, the other after it. */
const BUDGETS = [31, 61]
let ground: OAuthGround

beforeAll(async () => {
  ground = await oauthGround()
})
afterAll(() => ground.close())

it('64 callers of two grants on two instances, one of which dies', async () => {
  const { id, browser } = await ground.person(500)
  const grants = await Promise.all(
    BUDGETS.map(async (day) => (await ground.app()).tokens(browser, [['day', String(day)]])),
  )
  const [dying, living] = ground.gateways
  const paid: [number, number] = [0, 0]
  const answered = Promise.withResolvers<void>()
  const call = async (grant: 0 | 1, url: string): Promise<boolean> => {
    const { access_token } = grants[grant]!
    const answer = await callTool(url, access_token, 'demo.hash', { input: 'hello' }).catch(
      () => null,
    )
    if (answer?.status !== 200) return false
    if (!answer.isError) paid[grant] += 1
    if (paid[0] + paid[1] === 3) answered.resolve()
    return true
  }
  const calls = Array.from({ length: CALLERS }, async (_, i) => {
    const isAnswered = await call(grantOf(i), (i >> 1) % 2 === 0 ? dying.url : living.url)
    // Whose gateway is gone asks the other one.
    if (!isAnswered) await call(grantOf(i), living.url)
  })
  await answered.promise
  await dying.kill()
  await Promise.all(calls)
  // Until nothing is left of either budget.
  await Promise.all(
    ([0, 1] as const).map(async (grant) => {
      for (let n = 0; n < CALLERS; n++) await call(grant, living.url)
    }),
  )

  const { json } = await living.admin('GET', `/v1/accounts/${await accountOf(id)}/keys?kind=grant`)
  for (const [grant, day] of BUDGETS.entries()) {
    const found = json.keys.find((key: { budgets: { day: number } }) => key.budgets.day === day)
    // Holds of the dead gateway count until they expire; what was answered is in it, and nothing over it.
    expect(found.spentTodayCredits).toBeLessThanOrEqual(day)
    expect(found.spentTodayCredits).toBeGreaterThanOrEqual(paid[grant]! * PRICE)
    expect(found.spentTodayCredits).toBeGreaterThan(day - PRICE)
  }
  expect((await verifyLedger(ground.database.db.sql)).violations).toEqual([])
})

/** Callers take turns with the two grants. */
const grantOf = (caller: number): 0 | 1 => (caller % 2 === 0 ? 0 : 1)

async function accountOf(keyId: string): Promise<string> {
  return (await ground.gateways[1].admin('GET', `/v1/keys/${keyId}`)).json.accountId
}
