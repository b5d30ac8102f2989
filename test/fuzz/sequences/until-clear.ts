/** Requests that are at work elsewhere, sent until somebody says how they ended. */
import type { Heard } from './world.ts'

const CLEAR_WITHIN_MS = 120_000
const PAUSE_MS = 100

/** The first answer that does not say that the same request may succeed later; `meanwhile` is done between two. */
export async function untilClear(
  send: () => Promise<Heard>,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<Heard> {
  for (const untilMs = performance.now() + CLEAR_WITHIN_MS; ;) {
    const answer = await send()
    if (!isLater(answer) || performance.now() > untilMs) return answer
    await meanwhile()
    await Bun.sleep(PAUSE_MS)
  }
}

export const isLater = ({ problem }: Heard): boolean => problem?.retryable === true
