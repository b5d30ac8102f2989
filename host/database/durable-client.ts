/**
 * A postgres.js client that survives its connections. postgres.js 3.4.9 keeps bytes that were about
 * to be written when a connection broke (`chunk`, `nextWriteTimer` in connection.js are not reset):
 * that connection then never writes again, and every query it gets hangs until the connect timeout.
 * So a client that lost a connection is replaced by a fresh one and retired. So is one whose server
 * has fallen silent: a frozen machine and a lost network path close no connection for many minutes.
 *
 * The sockets of a client are its own for two reasons more. A server that accepts a connection and
 * closes it before it is ready (a proxy whose server is away) is retried at once and forever, while
 * the query of that connection waits: here that becomes an error of the query. And one that says
 * nothing any more is waited for until the operating system gives it up: here it can be seen and
 * cut.
 *
 * And a BEGIN that postgres.js sent without reserving its connection has opened a transaction that
 * nobody ends, in which statements of others run. `max_pipeline` leaves it one cause, a socket that is
 * full at that moment: everything is cut then, before any such statement is answered.
 */
import type { SqlClient } from '#kernel/host'
import { boundedBegin } from './bounded-begin.ts'
import { Socket } from 'node:net'
import { Duplex } from 'node:stream'

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
   * statement does not count as silence, since the sign of life comes on another connection.
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

  /** Its connections at once, before they answer anything more. */
  function cut(lost: typeof current): void {
    lost.sockets.end()
    replace(lost, 0)
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
      if (name !== 'begin') return Reflect.get(current.client, name)
      const from = current
      return boundedBegin(from.client, () => cut(from))
    },
  })
}

const CONNECT_TIMEOUT_MS = 10_000

/** Where a client connects to, as postgres.js parsed it: hosts and ports in parallel, or a path. */
export interface SocketTarget {
  host: readonly string[]
  port: readonly number[]
  path?: string | false
}

export class Sockets {
  readonly #open = new Set<Socket>()
  #received = 0
  #opened = 0
  #ended = false
  /** Closed sockets that postgres.js has not reported: it is about to try again by itself. */
  #unreported = 0

  /** For postgres.js's `socket`: a connected one, or one that fails with what went wrong. */
  async open({ host, port, path }: SocketTarget): Promise<Duplex> {
    // With several hosts its next try is another host, and it drops the errors of this one.
    if (this.#unreported > 0 && host.length === 1) {
      this.#unreported -= 1
      return this.#failing(problem('CONNECTION_CLOSED', 'the server closed it before it was ready'))
    }
    const place = this.#opened++ % host.length
    const socket = new WatchedSocket(() => this.#closed(socket))
    this.#open.add(socket)
    try {
      await connected(socket, (done) =>
        path ? socket.connect(path, done) : socket.connect(port[place]!, host[place]!, done),
      )
    } catch (error) {
      return this.#failing(error as Error)
    }
    if (this.#ended) {
      socket.destroy()
      return this.#failing(problem('CONNECTION_DESTROYED', 'the client has ended'))
    }
    // What postgres.js's own sockets have: the name that TLS asks for.
    return Object.assign(socket, { host: host[place], port: port[place], reported: true })
  }

  /** Postgres.js has reported the loss of a connection. */
  reported(): void {
    this.#unreported -= 1
  }

  /** Connections that are open or being made. */
  get count(): number {
    return this.#open.size
  }

  /** Bytes from the server so far, on all connections. */
  get received(): number {
    let sum = this.#received
    for (const socket of this.#open) sum += socket.bytesRead
    return sum
  }

  /** Closes whatever is open; a connection under way is given up. */
  end(): void {
    this.#ended = true
    for (const socket of this.#open) socket.destroy()
  }

  #closed(socket: WatchedSocket): void {
    this.#open.delete(socket)
    this.#received += socket.bytesRead
    if (socket.reported) this.#unreported += 1
  }

  /** Takes whatever is written, then fails: postgres.js forgets a connection it gets no socket for. */
  #failing(error: Error): Duplex {
    const socket = new Duplex({
      read() {},
      write: (_bytes, _encoding, done) => done(),
    })
    // One turn for postgres.js to listen, one for what it writes: it would keep that for ever.
    setImmediate(() =>
      setImmediate(() => {
        this.#unreported += 1
        socket.emit('error', error)
        socket.emit('close', true)
      }),
    )
    return socket
  }
}

/** Tells of its end also after postgres.js has removed every listener, as it does for TLS. */
class WatchedSocket extends Socket {
  /** Whether postgres.js has it and will see it close. */
  reported = false
  readonly #onClosed: () => void

  constructor(onClosed: () => void) {
    super()
    this.#onClosed = onClosed
  }

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event === 'close') this.#onClosed()
    return super.emit(event, ...values)
  }
}

function connected(socket: Socket, connect: (done: () => void) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const late = setTimeout(
    () => socket.destroy(problem('CONNECT_TIMEOUT', 'the server does not answer')),
    CONNECT_TIMEOUT_MS,
  )
  // Once postgres.js has the socket, its own listener is told of errors.
  socket.once('error', reject)
  socket.once('close', () => reject(problem('CONNECTION_CLOSED', 'closed while it was opened')))
  connect(resolve)
  return promise.finally(() => {
    clearTimeout(late)
    socket.removeListener('error', reject)
  })
}

function problem(code: string, what: string): Error {
  return Object.assign(new Error(`No connection to PostgreSQL: ${what}`), { code })
}
