/** Steps of customers, each sent until its answer is clear, often twice at once. */
import type { Random } from '../../support/docintel-fixtures/random.ts'
import type { Answer, GatewayProcess } from '../../support/gateway.ts'
import {
  deliver,
  type EventOptions,
  type SignedEvent,
  type TestProvider,
} from '../../support/topup.ts'

const GIVE_UP_MS = 180_000

export interface Street {
  gateways: readonly GatewayProcess[]
  random: Random
  wrong: string[]
  /** Steps whose first answer was not clear, and requests beyond the first of each step. */
  tally: { unclear: number; sentAgain: number }
}

/**
 * Sends a step, now and then twice at once, until an answer is 200 or 201 or `isEnd` says that it is
 * clear; null after an answer that is neither and will not change, which is wrong.
 */
export async function insist(
  { gateways, random, wrong, tally }: Street,
  what: string,
  step: (gateway: GatewayProcess) => Promise<Answer>,
  isEnd: (answer: Answer) => boolean = () => false,
): Promise<Answer | null> {
  const ask = () => step(random.pick(gateways)).catch(() => null)
  const endMs = performance.now() + GIVE_UP_MS
  for (let n = 0; performance.now() < endMs; n++) {
    if (n > 0) {
      tally.sentAgain += 1
      await Bun.sleep(random.int(100, 600))
    }
    const heard = await Promise.all(random.chance(0.3) ? [ask(), ask()] : [ask()])
    const answers = heard.filter((answer) => answer !== null)
    const good = answers.find(({ status }) => status === 200 || status === 201)
    const end = good ?? answers.find(isEnd)
    if (end) return end
    const refused = answers.find((answer) => !isRetryable(answer))
    if (refused) {
      wrong.push(`${what} was refused: ${refused.status} ${refused.text.slice(0, 300)}`)
      return null
    }
    if (n === 0) tally.unclear += 1
  }
  wrong.push(`${what} does not resolve`)
  return null
}

/** A callback of a provider, until a gateway says that it has it. */
export async function tell(
  street: Street,
  provider: TestProvider,
  event: (wire: EventOptions) => SignedEvent,
): Promise<void> {
  // Provider A has one form of callbacks and ignores it.
  const version = street.random.pick(['v3', 'v4'] as const)
  await insist(street, `a callback of ${provider.id}`, (gateway) =>
    deliver(gateway, provider.id, event({ version })),
  )
}

export const isConflict = ({ status, problem }: Answer): boolean =>
  status === 409 && problem?.retryable !== true

const isRetryable = ({ status, problem }: Answer): boolean =>
  problem?.retryable === true || status >= 500
