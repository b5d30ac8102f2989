/** Steps on accounts: opening, granting credits, moving them, closing. */
import { newId } from '../../../kernel/ids.ts'
import { atomicOf, type Account } from './model.ts'
import { isEnded } from './grants.ts'
import { makeKey } from './keys.ts'
import type { World } from './world.ts'

const FUNDS = [0, 3, 10, 50]

export async function openAccount(world: World): Promise<void> {
  const answer = await world.undisturbed(() =>
    world.admin('POST', '/v1/accounts', { name: `seed ${world.seed}` }),
  )
  if (!world.expect('opening an account', answer, true)) return
  const id = answer.json.id as string
  const account: Account = {
    id,
    available: 0,
    held: 0,
    isClosed: false,
    plan: null,
    subscription: null,
    freeEchoes: 0,
    monthSpent: 0,
  }
  world.accounts.push(account)
  await makeKey(world, account)
  await grant(world, account)
}

export async function grant(world: World, to = world.random.of(world.accounts)): Promise<void> {
  const credits = world.random.of(FUNDS)
  if (credits > 0) await credit(world, to, credits)
}

export async function credit(world: World, to: Account, credits: number): Promise<void> {
  const body = { accountId: to.id, amountCredits: credits, note: 'n', reference: newId() }
  // The same one, several times at the same moment, is one.
  const answers = await world.sometimesAtOnce(() => world.admin('POST', '/v1/credits/grant', body))
  // A closed account gets what was paid for it all the same.
  for (const answer of answers) world.expect('a grant', answer, true)
  to.available += atomicOf(credits)
  const fresh = answers.filter(({ json }) => json?.duplicate === false)
  world.isOnce('grants', fresh, answers)
  const other = await world.admin('POST', '/v1/credits/grant', { ...body, amountCredits: 1000 })
  world.expect('a grant of another amount by the same reference', other, false)
}

export async function transfer(world: World): Promise<void> {
  const [from, to] = [world.random.of(world.accounts), world.random.of(world.accounts)]
  const credits = 1 + world.random.below(12)
  const body = { toAccountId: to.id, amountCredits: credits, reference: newId() }
  const answers = await world.sometimesAtOnce(() =>
    world.admin('POST', `/v1/accounts/${from.id}/transfer`, body),
  )
  const amount = atomicOf(credits)
  const isGood = from !== to && from.available >= amount && !from.isClosed && !to.isClosed
  for (const answer of answers) world.expect('a transfer', answer, isGood)
  if (!isGood) return
  from.available -= amount
  to.available += amount
}

export async function close(world: World): Promise<void> {
  if (world.accounts.filter(({ isClosed }) => !isClosed).length < 3) return
  const account = world.random.of(world.accounts)
  const answer = await world.admin('POST', `/v1/accounts/${account.id}/close`)
  if (!world.expect('closing an account', answer, true)) return
  account.isClosed = true
  for (const grant of world.grants)
    if (grant.key.account === account) await isEnded(world, grant, answer.from)
}
