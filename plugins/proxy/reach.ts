/** Whether anything listens at an upstream: a bare connection, so that nothing is asked of it. */
import { connect } from 'node:net'
import type { Outbound } from '#kernel'

const REACH_MS = 5000

/** Resolves when one of the upstream's addresses accepts; throws with what an operator can change. */
export async function reach(base: URL, outbound: Outbound, allowPrivate: boolean): Promise<void> {
  const place = `upstream.url ${base.origin}`
  const target = await outbound.check(base.origin, {
    allowPrivate,
    anyPort: true,
    signal: AbortSignal.timeout(REACH_MS),
  })
  if (!target.ok) {
    const hint = target.reason === 'ssrf' ? ' (upstream.allow_private: true allows it)' : ''
    throw new Error(`${place} is refused: ${target.message}${hint}`)
  }
  let last = 'no address'
  for (const { address } of target.addresses) {
    const problem = await dial(address, target.port)
    if (problem === null) return
    last = problem
  }
  throw new Error(`${place} cannot be reached: ${last}`)
}

function dial(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const finish = (problem: string | null): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(problem)
    }
    const timer = setTimeout(() => finish(`no connection within ${REACH_MS} ms`), REACH_MS)
    socket.once('connect', () => finish(null))
    socket.on('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message))
  })
}
