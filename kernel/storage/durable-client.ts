/**
 * A postgres.js client that survives its connections. postgres.js 3.4.9 keeps bytes that were about
 * to be written when a connection broke (`chunk`, `nextWriteTimer` in connection.js are not reset):
 * that connection then never writes again, and every query it gets hangs until the connect timeout.
 * So a client that lost a connection is replaced by a fresh one and retired.
 */
import type { SqlClient } from './contract.ts'

/** What queries in flight on other connections of a retired client get to finish. */
const RETIRE_TIMEOUT_S = 5

/**
 * A stable `sql` in front of the current client. `open` makes a client that calls `onLost` when one
 * of its connections has closed.
 */
export function durableClient(open: (onLost: () => void) => SqlClient): SqlClient {
  let ended = false
  function make(): SqlClient {
    const client = open(() => {
      if (ended || client !== current) return
      current = make()
      void client.end({ timeout: RETIRE_TIMEOUT_S })
    })
    return client
  }
  let current = make()

  function end(options?: { timeout?: number }): Promise<void> {
    ended = true
    return current.end(options)
  }
  return new Proxy(current, {
    apply: (_target, _self, parts: Parameters<SqlClient>) =>
      Reflect.apply(current, undefined, parts),
    get: (_target, name) => (name === 'end' ? end : Reflect.get(current, name)),
  })
}
