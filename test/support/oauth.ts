/** A person with a browser that has no script, and an app that asks the person for access. */
import { createHash, randomBytes } from 'node:crypto'

/** A browser that keeps cookies and follows nothing by itself. */
export class Browser {
  readonly #base: string
  readonly #cookies = new Map<string, string>()

  constructor(base: string) {
    this.#base = base
  }

  async open(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    if (cookies !== '') headers.set('cookie', cookies)
    const response = await fetch(new URL(url, this.#base), { ...init, headers, redirect: 'manual' })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (name !== undefined && value) this.#cookies.set(name, value)
      else if (name !== undefined) this.#cookies.delete(name)
    }
    return response
  }

  /** Sends a form as a page of this site does. */
  post(path: string, fields: Fields, headers: Record<string, string> = {}): Promise<Response> {
    return this.open(path, {
      method: 'POST',
      headers: { origin: new URL(this.#base).origin, 'sec-fetch-site': 'same-origin', ...headers },
      body: new URLSearchParams(fields.map(([name, value]) => [name, value])),
    })
  }

  /** Signs in with an API key; the browser has the session then. */
  async signIn(apiKey: string): Promise<void> {
    const page = await (await this.open('/account/sign-in')).text()
    const answer = await this.post('/account/sign-in/key', [
      ['csrf', hidden(page, 'csrf')],
      ['next', '/account'],
      ['api_key', apiKey],
    ])
    if (answer.status !== 303)
      throw new Error(`no sign-in: ${answer.status} ${await answer.text()}`)
  }

  /** Opens an app's request and reads the page; throws where there is none. */
  async consent(authorizeUrl: string): Promise<Consent> {
    const first = await this.open(authorizeUrl)
    const at = first.headers.get('location')
    if (first.status !== 303 || at === null || !at.includes('/account/consent'))
      throw new Error(`no consent page: ${first.status} ${at} ${await first.text()}`)
    const shown = await this.open(at)
    const page = await shown.text()
    if (shown.status !== 200) throw new Error(`no consent page: ${shown.status} ${page}`)
    return { url: at, page, csrf: hidden(page, 'csrf'), request: hidden(page, 'request') }
  }

  /** Answers it; where the browser is sent then. */
  async answer(consent: Consent, fields: Fields): Promise<URL> {
    const answer = await this.post('/account/consent', [
      ['csrf', consent.csrf],
      ['request', consent.request],
      ...fields,
    ])
    const location = answer.headers.get('location')
    if (answer.status !== 303 || location === null)
      throw new Error(`not answered: ${answer.status} ${await answer.text()}`)
    return new URL(location)
  }

  /** Allows what an app asks for, as a person would; where the browser is sent then. */
  async allow(authorizeUrl: string, fields: Fields = [['day', '200']]): Promise<URL> {
    return this.answer(await this.consent(authorizeUrl), [...fields, ['decision', 'allow']])
  }
}

export type Fields = readonly (readonly [string, string])[]
export interface Consent {
  url: string
  page: string
  csrf: string
  request: string
}
export interface Tokens {
  access_token: string
  refresh_token: string
  expires_in: number
  scope: string
  token_type: string
}

/** The value of a hidden field of a page. */
export function hidden(page: string, name: string): string {
  const value = new RegExp(`name="${name}"\\s+value="([^"]*)"`).exec(page)?.[1]
  if (value === undefined) throw new Error(`the page has no field ${name}: ${page}`)
  return value
}

/** An app that registers itself and speaks the protocol by hand, for what no library would do. */
export class App {
  readonly url: string
  readonly redirectUri: string
  clientId = ''
  readonly verifier = randomBytes(32).toString('base64url')
  readonly state = randomBytes(8).toString('hex')

  constructor(url: string, redirectUri = 'http://127.0.0.1:8931/callback') {
    this.url = url
    this.redirectUri = redirectUri
  }

  async register(extra: Record<string, unknown> = {}): Promise<Response> {
    const response = await fetch(`${this.url}/mcp/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'App', redirect_uris: [this.redirectUri], ...extra }),
    })
    const body = (await response.clone().json()) as { client_id?: string }
    this.clientId = body.client_id ?? ''
    return response
  }

  /** A value of null leaves the parameter out. */
  authorizeUrl(changed: Record<string, string | null> = {}): string {
    const challenge = createHash('sha256').update(this.verifier).digest('base64url')
    const parameters: Record<string, string | null> = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state: this.state,
      resource: `${this.url}/mcp/oauth`,
      ...changed,
    }
    const given = Object.entries(parameters).filter(
      (pair): pair is [string, string] => pair[1] !== null,
    )
    return `${this.url}/mcp/oauth/authorize?${new URLSearchParams(given)}`
  }

  token(fields: Record<string, string | null>): Promise<Response> {
    const given = Object.entries({ client_id: this.clientId, ...fields }).filter(
      (pair): pair is [string, string] => pair[1] !== null,
    )
    return fetch(`${this.url}/mcp/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(given),
    })
  }

  redeem(code: string, changed: Record<string, string | null> = {}): Promise<Response> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.redirectUri,
      code_verifier: this.verifier,
      ...changed,
    })
  }

  refresh(token: string, changed: Record<string, string | null> = {}): Promise<Response> {
    return this.token({ grant_type: 'refresh_token', refresh_token: token, ...changed })
  }

  revoke(token: string): Promise<Response> {
    return fetch(`${this.url}/mcp/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: this.clientId, token }),
    })
  }

  /** The code that a person's permission gives. */
  async code(
    browser: Browser,
    fields?: Fields,
    changed?: Record<string, string | null>,
  ): Promise<string> {
    const back = await browser.allow(this.authorizeUrl(changed), fields)
    const code = back.searchParams.get('code')
    if (code === null) throw new Error(`no code: ${back.href}`)
    return code
  }

  async tokens(
    browser: Browser,
    fields?: Fields,
    changed?: Record<string, string | null>,
  ): Promise<Tokens> {
    const response = await this.redeem(await this.code(browser, fields, changed))
    if (response.status !== 200) throw new Error(`no tokens: ${await response.text()}`)
    return (await response.json()) as Tokens
  }
}

let calls = 0

/** A request to the MCP endpoint in the oldest style, which needs no handshake. */
export function rpc(
  url: string,
  token: string | null,
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/mcp/oauth`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++calls, method, params }),
  })
}

export interface ToolAnswer {
  status: number
  isError: boolean
  text: string
  result: Record<string, unknown>
}

export async function callTool(
  url: string,
  token: string,
  name: string,
  args: object,
): Promise<ToolAnswer> {
  const response = await rpc(url, token, 'tools/call', { name, arguments: args })
  const body = (await response.json()) as { result?: Record<string, unknown> }
  const { result = {} } = body
  return {
    status: response.status,
    isError: result['isError'] === true,
    text: JSON.stringify(body),
    result,
  }
}
