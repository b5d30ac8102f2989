/**
 * The sockets of one postgres.js client. postgres.js 3.4.9 has no answer to two kinds of server: one
 * that accepts a connection and closes it before it is ready (a proxy whose server is away) is tried
 * again at once and without end, while the query of that connection waits; and one that says nothing
 * any more is waited for until the operating system gives it up. Here the first becomes an error of
 * that query, and the second can be seen and cut.
 */
import { Socket } from 'node:net'
import { Duplex } from 'node:stream'

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
