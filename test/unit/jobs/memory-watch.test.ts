/** The watch over a child's memory, whose looks take time where they ask another program. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RESIDENT_POLL_MS } from '../../../kernel/jobs/contract.ts'
import { watchMemory } from '../../../host/document-jobs/memory-watch.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

/** Looks that are answered by the test. */
function looks() {
  const asked: ((mib: number | null) => void)[] = []
  const read = (): Promise<number | null> => new Promise((resolve) => asked.push(resolve))
  return { asked, read }
}
/** What awaited a look has gone on. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('tells of what is above the limit, and of nothing else', async () => {
  const above: number[] = []
  const { asked, read } = looks()
  const end = watchMemory({ read, limitMib: 100, onAbove: (mib) => above.push(mib) })
  for (const mib of [100, null, 100.5]) {
    vi.advanceTimersByTime(RESIDENT_POLL_MS)
    asked.pop()!(mib)
    await settled()
  }
  end()
  vi.advanceTimersByTime(10 * RESIDENT_POLL_MS)
  expect(above).toEqual([100.5])
  expect(asked).toEqual([])
})

it('a look that is answered after the end says nothing of the next job', async () => {
  const above: number[] = []
  const { asked, read } = looks()
  const end = watchMemory({ read, limitMib: 100, onAbove: (mib) => above.push(mib) })
  vi.advanceTimersByTime(RESIDENT_POLL_MS)
  end()
  asked.pop()!(500)
  await settled()
  expect(above).toEqual([])
})
