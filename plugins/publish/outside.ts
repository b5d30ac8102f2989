/** What a caller without a key sees of a gateway: the requests that directories and their crawlers make. */

/** One answer, or why there was none. */
export interface Seen {
  url: string
  /** 0: no answer. */
  status: number
  headers: Headers
  text: string
  /** Null where the body is no JSON. */
  json: unknown
  /** Why there was no answer, such as a certificate that is not trusted. */
  trouble: string | null
}

const TIMEOUT_MS = 15_000
const BODY_MAX = 8 * 1024 * 1024

export class Outside {
  readonly #ca: string | null
  readonly #connect: string | null

  /**
   * `ca`: PEM text of certificates to trust instead of the system's. `connect`: 'host:port' that is
   * asked whatever the name in an address resolves to, for a look before the DNS is switched.
   */
  constructor({ ca = null, connect = null }: { ca?: string | null; connect?: string | null } = {}) {
    this.#ca = ca
    this.#connect = connect
  }

  /** The answer without following redirects; never rejects. */
  async ask(url: string, init: RequestInit = {}): Promise<Seen> {
    const none = { url, status: 0, headers: new Headers(), text: '', json: null }
    try {
      const response = await fetch(...this.#request(url, init))
      const text = await textOf(response)
      return {
        url,
        status: response.status,
        headers: response.headers,
        text,
        json: parsed(text),
        trouble: null,
      }
    } catch (error) {
      return { ...none, trouble: error instanceof Error ? error.message : String(error) }
    }
  }

  #request(url: string, init: RequestInit): [string, BunFetchRequestInit] {
    const { host, hostname } = new URL(url)
    const headers = new Headers(init.headers)
    const tls = {
      ...(this.#ca !== null && { ca: this.#ca }),
      ...(this.#connect !== null && { serverName: hostname }),
    }
    let asked = url
    if (this.#connect !== null) {
      headers.set('host', host)
      asked = url.replace(host, this.#connect)
    }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    return [asked, { redirect: 'manual', signal, ...init, headers, tls }]
  }

  postJson(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Seen> {
    return this.ask(url, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  }

  /** The result of a JSON-RPC request to an MCP endpoint; null when it gave none. */
  async rpc(url: string, method: string, params: object = {}): Promise<unknown> {
    const seen = await this.postJson(
      url,
      { jsonrpc: '2.0', id: 1, method, params },
      { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
    )
    return member(seen.json, 'result') ?? null
  }
}

/** A member of a JSON object; undefined of anything else. */
export function member(value: unknown, ...path: readonly (string | number)[]): unknown {
  let at = value
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Record<string | number, unknown>)[name]
  }
  return at
}

async function textOf(response: Response): Promise<string> {
  if (!response.body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > BODY_MAX) throw new Error(`an answer of more than ${BODY_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
