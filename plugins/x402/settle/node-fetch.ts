/**
 * fetch for the operator's node: a quick failure is tried once more, a slow one is not. viem's own
 * retries would wait as long as a Retry-After says, with a caller waiting behind them, and would
 * double every timeout.
 */
import { directFetch } from './direct-fetch.ts'

/** Failures that a second try may not meet. */
const PASSING = new Set([408, 429, 500, 502, 503, 504])
const PAUSE_MS = 200
/** A failure later than this was no passing one. */
const QUICK_MS = 1000

export const nodeFetch: typeof fetch = Object.assign(
  async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const startedAt = performance.now()
    const isQuick = () => performance.now() - startedAt < QUICK_MS && !init?.signal?.aborted
    try {
      const response = await directFetch(input, init)
      if (!PASSING.has(response.status) || !isQuick() || isSend(init)) return response
      await response.body?.cancel()
    } catch (error) {
      if (!isQuick() || isSend(init)) throw error
    }
    await Bun.sleep(PAUSE_MS * (0.5 + Math.random()))
    return directFetch(input, init)
  },
  { preconnect: fetch.preconnect },
)

/** After a lost answer a second send would be refused as if the first had never been taken. */
function isSend(init?: RequestInit): boolean {
  return typeof init?.body === 'string' && init.body.includes('"eth_sendRawTransaction"')
}
