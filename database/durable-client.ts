/**
 * A postgres.js client that survives its connections. postgres.js 3.4.9 keeps bytes that were about
 * to be written when a connection broke (`chunk`, `nextWriteTimer` in connection.js are not reset):
 * that connection then never writes again, and every query it gets hangs until the connect timeout.
 * So a client that lost a connection is replaced by a fresh one and retired. So is one whose server
 * has fallen silent: a frozen machine and a lost network path close no connection for many minutes.
 */
import type { SqlClient } from '#kernel/host'
import { boundedBegin } from './bounded-begin.ts'
import { Sockets } from './sockets.ts'

/** What queries in flight on other connections of a retired client get to finish. */
const RETIRE_TIMEOUT_S = 5
const LOOK_EVERY_MS = 1000
/** Looks without a byte from the server after which it is asked for a sign of life. */
const ASK_AFTER_LOOKS = 5
/** Looks without a byte after which it is given up. */
const CUT_AFTER_LOOKS = 10

/** Makes a client on `sockets` that calls `onClose` when one of its connections has closed. */
export type OpenClient = (watched: { onClose(): void; sockets: Sockets }) => SqlClient

/** A stable `sql` in front of the current client. */
export function durableClient(open: OpenClient, lookEveryMs = LOOK_EVERY_MS): SqlClient {
  let ended = false
  /** Whether anything was asked since the last sign of life that was asked for. */
  let isOwed = false
  let isProbed = false
  let current = make()
  const watching = setInterval(look, lookEveryMs)
  watching.unref()

  function make() {
    const sockets = new Sockets()
    const made = { sockets, heard: 0, silentLooks: 0, client: open({ sockets, onClose }) }
    function onClose(): void {
      replace(made, RETIRE_TIMEOUT_S)
    }
    return made
  }

  function replace(lost: typeof current, timeout: number): void {
    if (ended || lost !== current) return
    current = make()
    void lost.client.end({ timeout })
  }

  /**
   * Looks are counted, not measured: a process that stood still itself has not listened. A slow
   * statement is no silence, since the sign of life comes on another connection.
   */
  function look(): void {
    const { sockets, client } = current
    const heard = sockets.received
    if (heard !== current.heard) {
      Object.assign(current, { heard, silentLooks: 0 })
      // Any other bytes may have answered another question than the last.
      if (isProbed) isOwed = isProbed = false
      return
    }
    if (!isOwed || sockets.count === 0) return
    current.silentLooks += 1
    if (current.silentLooks === ASK_AFTER_LOOKS) {
      client`select 1`.catch(() => {})
      isProbed = true
    }
    if (current.silentLooks >= CUT_AFTER_LOOKS) replace(current, 0)
  }

  function asked(): void {
    isOwed = true
    isProbed = false
  }

  function end(options?: { timeout?: number }): Promise<void> {
    ended = true
    clearInterval(watching)
    return current.client.end(options)
  }
  return new Proxy(current.client, {
    apply(_target, _self, parts: Parameters<SqlClient>) {
      asked()
      return Reflect.apply(current.client, undefined, parts)
    },
    get(_target, name) {
      if (name === 'end') return end
      asked()
      if (name === 'begin') return boundedBegin(current.client)
      return Reflect.get(current.client, name)
    },
  })
}
