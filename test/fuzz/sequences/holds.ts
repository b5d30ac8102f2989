/** Steps on holds: authorizing, and ending them in several ways at the same moment. */
import { newId } from '../../../kernel/ids.ts'
import { affordable, atomicOf } from './model.ts'
import type { World } from './world.ts'

export async function hold(world: World): Promise<void> {
  const key = world.random.of(world.keys)
  const credits = 1 + world.random.below(8)
  const body = { requestId: newId(), skill: 'demo.hash', amountCredits: credits }
  const answers = await world.sometimesAtOnce(() =>
    world.as(key, 'POST', '/v1/credits/authorize', body),
  )
  const amount = atomicOf(credits)
  const isGood = affordable(key, 'demo', amount) > 0
  for (const answer of answers) world.expect('a hold', answer, isGood)
  if (!isGood || answers.some(({ status }) => status >= 300)) return
  const ids = new Set(answers.map(({ json }) => json.authorizationId as string))
  if (ids.size !== 1) world.found(`one requestId made ${ids.size} holds`)
  const other = { ...body, amountCredits: credits + 1 }
  const clash = await world.as(key, 'POST', '/v1/credits/authorize', other)
  world.expect('another hold by the same requestId', clash, false)
  key.account.available -= amount
  key.account.held += amount
  key.spent.demo += amount
  const [id] = [...ids]
  world.holds.push({ id: id!, requestId: body.requestId, key, amount, state: 'authorized' })
}

/** Capture and release at the same moment: one of them ends the hold, and stays. */
export async function endHold(world: World): Promise<void> {
  const { random } = world
  if (world.holds.length === 0) return
  const ended = random.of(world.holds)
  const { key, amount } = ended
  const stranger = world.keys.find(({ account }) => account !== key.account)
  const body = { authorizationId: ended.id }
  if (stranger && random.chance(0.3)) {
    const way = random.of(['capture', 'release'])
    const answer = await world.as(stranger, 'POST', `/v1/credits/${way}`, body)
    world.expect("ending a stranger's hold", answer, false)
    return
  }
  if (key.isRevoked || key.account.isClosed) return
  const ways = Array.from({ length: 1 + random.below(3) }, () =>
    random.of(['capture', 'release'] as const),
  )
  const answers = await Promise.all(
    ways.map((way) => world.as(key, 'POST', `/v1/credits/${way}`, body)),
  )
  const good = new Set(ways.filter((_, index) => answers[index]!.status < 300))
  for (const answer of answers) world.expect('ending a hold', answer, answer.status < 300)
  const ending = { capture: 'captured', release: 'released' } as const
  if (ended.state !== 'authorized') {
    // A capture that is repeated says so even after the refund.
    const state = ended.state === 'refunded' ? 'captured' : ended.state
    for (const way of good)
      if (ending[way] !== state) world.found(`a hold was ${ended.state}, and ${way} succeeded`)
    return
  }
  if (good.size !== 1) return world.found(`a hold ended in ${good.size} ways`)
  const [way] = [...good]
  ended.state = ending[way!]
  key.account.held -= amount
  if (ended.state === 'captured') {
    world.captured(key, amount, ended.requestId)
    return
  }
  key.account.available += amount
  key.spent.demo -= amount
}
