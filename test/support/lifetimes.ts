/** When what a test opened is closed. */
import { afterAll, afterEach, beforeEach } from 'vitest'

/** Takes what closes a thing; see `lifetimes`. */
export type Closing = (close: () => unknown) => void

/**
 * Closes what the tests of a file or a describe block open: after the test that runs when it is told,
 * or after the last one when no test does. What came last is closed first. Call it outside of tests.
 */
export function lifetimes(): Closing {
  const ofTest: (() => unknown)[] = []
  const ofAll: (() => unknown)[] = []
  let isTesting = false
  beforeEach(() => {
    isTesting = true
  })
  afterEach(async () => {
    isTesting = false
    await closeAll(ofTest)
  })
  afterAll(() => closeAll(ofAll))
  return (close) => void (isTesting ? ofTest : ofAll).push(close)
}

/** Closes all of them, also where one fails; then fails as the first that did. */
async function closeAll(closers: (() => unknown)[]): Promise<void> {
  const failures: unknown[] = []
  for (const close of closers.splice(0).toReversed()) {
    try {
      await close()
    } catch (failure) {
      failures.push(failure)
    }
  }
  if (failures.length > 0) throw failures[0]
}
