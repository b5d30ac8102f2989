/**
 * Sockets to checked targets. They are opened to an address, never to a name, so what was checked
 * is what is connected to; the name only serves TLS.
 */
import type { CheckedTarget, Dialed, GuardedRefusal, PinnedAddress } from '#kernel'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { refusalOf, refuse } from './refusal.ts'

/** With several addresses a dead one may not use up the whole time of the request. */
const ATTEMPT_TIMEOUT_MS = 3000
const MAX_ATTEMPTS = 4

/** Settles when the socket says `ready`, errors, is aborted or takes too long. */
function awaitReady(
  socket: Socket,
  ready: 'connect' | 'secureConnect',
  host: string,
  signal: AbortSignal,
  timeoutMs?: number,
): Promise<Dialed | GuardedRefusal> {
  return new Promise((done) => {
    const finish = (outcome: Dialed | GuardedRefusal): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      socket.off('error', onError)
      socket.off('close', onClose)
      socket.off(ready, onReady)
      // A socket that is given up may still report errors; nobody is left to hear them.
      socket.on('error', () => {})
      if (!outcome.ok) socket.destroy()
      done(outcome)
    }
    const onAbort = (): void => finish(refuse('aborted', 'The request was aborted'))
    const onError = (error: Error): void => finish(refusalOf(error, host))
    const onClose = (): void => finish(refuse('connect', `${host} closed the connection`))
    const onReady = (): void => finish({ ok: true, socket })
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => finish(refuse('connect', `${host} did not answer in time`)), timeoutMs)
    socket.once('error', onError)
    socket.once('close', onClose)
    socket.once(ready, onReady)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
}

/** A TCP connection to the first of the target's addresses that accepts one. */
export async function dialTcp(
  target: { host: string; port: number; addresses: readonly PinnedAddress[] },
  signal: AbortSignal,
): Promise<Dialed | GuardedRefusal> {
  const addresses = target.addresses.slice(0, MAX_ATTEMPTS)
  let outcome: Dialed | GuardedRefusal = refuse('dns', `${target.host} has no address`)
  for (const [index, { address, family }] of addresses.entries()) {
    if (signal.aborted) return refuse('aborted', 'The request was aborted')
    const socket = connect({ host: address, port: target.port, family })
    const limitMs = index < addresses.length - 1 ? ATTEMPT_TIMEOUT_MS : undefined
    outcome = await awaitReady(socket, 'connect', target.host, signal, limitMs)
    if (outcome.ok) {
      socket.setNoDelay(true)
      return outcome
    }
  }
  return outcome
}

/**
 * A connection for HTTP/1.1 to a checked target. For https the certificate is verified for the
 * URL's own host, whatever NODE_TLS_REJECT_UNAUTHORIZED says; `ca` replaces the system's roots.
 */
export async function dial(
  target: CheckedTarget,
  signal: AbortSignal,
  ca?: string,
): Promise<Dialed | GuardedRefusal> {
  const tcp = await dialTcp(target, signal)
  if (!tcp.ok || target.url.protocol === 'http:') return tcp
  const secured: TLSSocket = connectTls({
    socket: tcp.socket,
    host: target.host,
    ...(isIP(target.host) === 0 && { servername: target.host }),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  })
  const outcome = await awaitReady(secured, 'secureConnect', target.host, signal)
  if (!outcome.ok) tcp.socket.destroy()
  return outcome
}
