/** HTTP to the operator's own endpoints: the node and the facilitators. */

/**
 * fetch that never goes through a proxy which the environment names: Bun reads HTTP_PROXY at every
 * call, and only `proxy: false` turns that off (measured on Bun 1.4).
 */
export const directFetch: typeof fetch = Object.assign(
  (input: RequestInfo | URL, init?: RequestInit): Promise<Response> =>
    fetch(input, { ...init, proxy: false } as unknown as RequestInit),
  { preconnect: fetch.preconnect },
)

/** Statuses that a second try may not meet. */
const TRANSIENT = new Set([408, 429, 500, 502, 503, 504])
const RETRY_AFTER_MS = 200
/** A failure later than this is not retried: the caller has waited long enough. */
const QUICK_MS = 1000

/**
 * fetch for the node: a quick failure is tried once more. viem's own retries would wait as long as a
 * Retry-After says, with a caller waiting behind them, and would double every timeout.
 */
export const nodeFetch: typeof fetch = Object.assign(
  async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const startedAt = performance.now()
    const isQuick = () => performance.now() - startedAt < QUICK_MS && !init?.signal?.aborted
    try {
      const response = await directFetch(input, init)
      if (!TRANSIENT.has(response.status) || !isQuick() || isSend(init)) return response
      await response.body?.cancel()
    } catch (error) {
      if (!isQuick() || isSend(init)) throw error
    }
    await Bun.sleep(RETRY_AFTER_MS * (0.5 + Math.random()))
    return directFetch(input, init)
  },
  { preconnect: fetch.preconnect },
)

/**
 * The same for one call of a contract that is not trusted: a longer answer than 64 KiB is an error of
 * the call.
 */
export const briefNodeFetch: typeof fetch = Object.assign(
  async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const response = await nodeFetch(input, init)
    const text = await limitedText(response)
    const { status, statusText } = response
    if (text !== null) return new Response(text, { status, statusText, headers: JSON_TYPE })
    const error = { code: -32_000, message: 'the answer of the contract is too long' }
    return Response.json({ jsonrpc: '2.0', id: null, error })
  },
  { preconnect: fetch.preconnect },
)

const JSON_TYPE = { 'content-type': 'application/json' }

/** A transaction is never sent twice here: the node would refuse one that it has accepted. */
function isSend(init?: RequestInit): boolean {
  return typeof init?.body === 'string' && init.body.includes('"eth_sendRawTransaction"')
}

const MAX_ANSWER_BYTES = 65_536

/** The body of an answer as text; null when it is longer than `maxBytes`, 64 KiB unless told. */
export async function limitedText(
  response: Response,
  maxBytes = MAX_ANSWER_BYTES,
): Promise<string | null> {
  // Bun cuts a body at its declared length, so that a plain one needs no counting.
  const { headers } = response
  const declared = headers.get('content-encoding') ? null : headers.get('content-length')
  if (declared !== null && Number(declared) <= maxBytes) return response.text()
  const reader = response.body?.getReader()
  if (!reader) return ''
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(chunks).toString('utf8')
    sizeBytes += value.byteLength
    if (sizeBytes > maxBytes) {
      await reader.cancel()
      return null
    }
    chunks.push(value)
  }
}

/** Why a request got no answer within its limit. */
export function noAnswerText(error: unknown, timeoutMs: number): string {
  const { code, name, message } = error as Error & { code?: string }
  return name === 'TimeoutError' ? `no answer within ${timeoutMs} ms` : (code ?? message)
}
