/**
 * Transactions whose statements end with them. postgres.js sends what a transaction's handle is given
 * to its connection for good: a statement that comes late (a sibling of the one that failed, in a
 * `Promise.all`, or work that went on when the connection broke) would run inside whatever
 * transaction has the connection by then, or in none.
 */
import type { SqlClient, SqlTransaction } from '#kernel/host'
import { codeOf } from '#kernel/host'

type Work = (tx: SqlTransaction) => unknown

/** What postgres.js says of a BEGIN whose connection it did not reserve. */
const UNRESERVED = 'UNSAFE_TRANSACTION'

/**
 * The client's `begin`; a statement on the handle of a transaction that has ended throws. `onUnreserved`
 * runs when a transaction was opened that nobody ends.
 */
export function boundedBegin(client: SqlClient, onUnreserved: () => void): SqlClient['begin'] {
  async function begin(...given: [Work] | [string, Work]): Promise<unknown> {
    const [options, work] = given.length === 1 ? ['', given[0]] : given
    let ended = false
    const isOpen = () => !ended
    try {
      return await client.begin(options, async (tx) => {
        try {
          return await settled(work(bounded(tx, isOpen)))
        } finally {
          ended = true
        }
      })
    } catch (error) {
      if (codeOf(error) === UNRESERVED) onUnreserved()
      throw error
    } finally {
      // A broken connection ends it before its work has.
      ended = true
    }
  }
  return begin as SqlClient['begin']
}

/** A list of statements is awaited as a whole, as `begin` does it. */
function settled(result: unknown): unknown {
  return Array.isArray(result) ? Promise.all(result) : result
}

function bounded(tx: SqlTransaction, isOpen: () => boolean): SqlTransaction {
  const refuse = () => {
    if (!isOpen()) throw new Error('This transaction has ended; the statement was not run')
  }
  return new Proxy(tx, {
    apply(target, _self, parts: Parameters<SqlTransaction>) {
      refuse()
      return Reflect.apply(target, undefined, parts)
    },
    get(target, name) {
      refuse()
      return Reflect.get(target, name)
    },
  })
}
