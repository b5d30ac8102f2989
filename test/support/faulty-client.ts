/**
 * A database client that fails where it is told to, in the driver's own words: the statement did not
 * reach the server, or it took effect and its answer was lost. Nothing here depends on timing.
 */
import type { SqlClient, SqlTransaction } from '../../kernel/storage/contract.ts'

/**
 * 'unsent' and 'answer lost' are what the ledger tries again; after 'ended unsent' and 'ended' it
 * cannot, and its caller learns that the outcome is unknown.
 */
export type Fault = 'unsent' | 'answer lost' | 'ended unsent' | 'ended'
export const FAULTS = ['unsent', 'answer lost', 'ended unsent', 'ended'] as const

export interface FaultyClient {
  sql: SqlClient
  /** The statement after the next `skipped` ones fails; a transaction counts as one more at its end. */
  failAfter(skipped: number, fault: Fault): void
  /** Takes back a fault that did not come to pass; true when there was one. */
  calmDown(): boolean
}

class LostConnection extends Error {
  constructor(readonly code: 'ECONNREFUSED' | 'CONNECTION_CLOSED' | 'CONNECTION_ENDED') {
    super(`made to fail: ${code}`)
  }
}

export function faultyClient(client: SqlClient): FaultyClient {
  let next: { skipped: number; fault: Fault } | null = null

  /** Runs one step of the storage, which may be the one that fails. */
  async function step<T>(work: () => PromiseLike<T>): Promise<T> {
    const due = next
    if (due === null || due.skipped-- > 0) return work()
    next = null
    if (due.fault === 'unsent') throw new LostConnection('ECONNREFUSED')
    if (due.fault === 'ended unsent') throw new LostConnection('CONNECTION_ENDED')
    await work()
    throw new LostConnection(due.fault === 'ended' ? 'CONNECTION_ENDED' : 'CONNECTION_CLOSED')
  }

  const unsafeOf =
    (runner: SqlClient | SqlTransaction) =>
    (...given: Parameters<SqlClient['unsafe']>) =>
      step(() => runner.unsafe(...given))

  type Work = (tx: SqlTransaction) => Promise<unknown>
  function begin(...given: [Work] | [string, Work]) {
    const work = given.at(-1) as Work
    const options = given.length === 2 ? given[0] : ''
    return step(() =>
      client.begin(options, (tx) =>
        work(
          new Proxy(tx, {
            get: (target, name) =>
              name === 'unsafe' ? unsafeOf(target) : Reflect.get(target, name, target),
          }),
        ),
      ),
    )
  }

  return {
    sql: new Proxy(client, {
      get(target, name) {
        if (name === 'unsafe') return unsafeOf(target)
        return name === 'begin' ? begin : Reflect.get(target, name)
      },
    }),
    failAfter: (skipped, fault) => void (next = { skipped, fault }),
    calmDown() {
      const was = next !== null
      next = null
      return was
    },
  }
}
