/**
 * Keep-alive connections to one upstream. Every new connection resolves the name anew and goes only
 * to addresses that passed the gateway's checks; kept ones are given up after a while, so that a
 * moved upstream is noticed.
 */
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import type { GuardedRefusal, Outbound } from '#kernel'

/** Below the 5 s after which many servers close: a request must not meet a closing connection. */
const IDLE_MS = 4000
const MAX_AGE_MS = 300_000
const MAX_SOCKETS = 1024
const MAX_FREE_SOCKETS = 128

/** The look-up's error when the target was refused: carries why. */
export class RefusedTarget extends Error {
  readonly refusal: GuardedRefusal
  constructor(refusal: GuardedRefusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** Whether a connection that ended its request may serve another one. */
function youngOnly(): (socket: Socket) => boolean {
  const firstFreeMs = new WeakMap<Socket, number>()
  return (socket) => {
    const nowMs = performance.now()
    const sinceMs = firstFreeMs.get(socket)
    if (sinceMs === undefined) firstFreeMs.set(socket, nowMs)
    return sinceMs === undefined || nowMs - sinceMs < MAX_AGE_MS
  }
}

class PlainAgent extends http.Agent {
  readonly #isYoung = youngOnly()
  override keepSocketAlive(socket: Socket): boolean {
    // Typed void; Node and Bun say false when the server announced that it closes.
    const isKept: unknown = super.keepSocketAlive(socket)
    return isKept !== false && this.#isYoung(socket)
  }
}
class TlsAgent extends https.Agent {
  readonly #isYoung = youngOnly()
  override keepSocketAlive(socket: Socket): boolean {
    // Typed void; Node and Bun say false when the server announced that it closes.
    const isKept: unknown = super.keepSocketAlive(socket)
    return isKept !== false && this.#isYoung(socket)
  }
}
export interface PinnedAgent {
  agent: http.Agent
  request: typeof http.request
  /** Checks an upstream that is named by its address, for which no look-up happens. */
  admit(): Promise<GuardedRefusal | null>
  /** Those over which a body comes at the moment. */
  streaming: Set<Socket>
  /**
   * Closes all connections but those over which a body comes, which close at its end: its caller did not
   * change the product, and may have paid for all of it.
   */
  close(): void
}

/** The agent for the origin of `base`; `allowPrivate` is the operator's word for this upstream. */
export function pinnedAgent(base: URL, outbound: Outbound, allowPrivate: boolean): PinnedAgent {
  const check = () => outbound.check(base.origin, { allowPrivate, anyPort: true })
  const answer = async (...[, options, callback]: Parameters<LookupFunction>): Promise<void> => {
    const target = await check()
    if (!target.ok) return callback(new RefusedTarget(target), [])
    if (options.all) return callback(null, target.addresses)
    const { address, family } = target.addresses[0]!
    callback(null, address, family)
  }
  const lookup: LookupFunction = (...asked) => void answer(...asked)
  const options = {
    keepAlive: true,
    timeout: IDLE_MS,
    maxSockets: MAX_SOCKETS,
    maxFreeSockets: MAX_FREE_SOCKETS,
    lookup,
  }
  const isTls = base.protocol === 'https:'
  const isLiteral = isIP(base.hostname.replace(/^\[(.*)\]$/, '$1')) !== 0
  let admitted: Promise<GuardedRefusal | null> | null = isLiteral ? null : Promise.resolve(null)
  const agent = isTls
    ? new TlsAgent({ ...options, rejectUnauthorized: true })
    : new PlainAgent(options)
  const streaming = new Set<Socket>()
  return {
    agent,
    request: isTls ? https.request : http.request,
    streaming,
    close() {
      agent.maxFreeSockets = 0
      for (const open of [agent.sockets, agent.freeSockets])
        for (const socket of Object.values(open).flat())
          if (socket && !streaming.has(socket)) socket.destroy()
    },
    admit() {
      admitted ??= check().then((target) => (target.ok ? null : target))
      return admitted
    },
  }
}
