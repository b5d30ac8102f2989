/** Somebody at the account pages without a browser: cookies, forms, and requests as the pages' scripts send them. */
import type { PrivateKeyAccount } from 'viem'
import { startGateway, type GatewayProcess } from './gateway.ts'
import { freePort } from './ports.ts'

export interface PortalAnswer {
  status: number
  headers: Headers
  text: string
  json: any
}

export class PortalVisitor {
  readonly cookies = new Map<string, string>()
  readonly #url: string

  constructor(gateway: Pick<GatewayProcess, 'url'>, publicUrl = gateway.url) {
    this.#url = gateway.url
    this.origin = new URL(publicUrl).origin
  }

  /** What this browser says of where its requests come from. */
  origin: string

  async ask(
    method: string,
    path: string,
    options: { body?: BodyInit; headers?: Record<string, string> } = {},
  ): Promise<PortalAnswer> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(this.#url + path, {
      method,
      redirect: 'manual',
      headers: { ...(cookie && { cookie }), ...options.headers },
      ...(options.body !== undefined && { body: options.body }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      if (value === '') this.cookies.delete(name!)
      else this.cookies.set(name!, value!)
    }
    const text = await response.text()
    let json: any
    try {
      json = JSON.parse(text)
    } catch {
      json = undefined
    }
    return { status: response.status, headers: response.headers, text, json }
  }

  get(path: string): Promise<PortalAnswer> {
    return this.ask('GET', path)
  }

  /** A request as the pages' scripts make it. */
  api(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<PortalAnswer> {
    return this.ask(method, `/account${path}`, {
      headers: {
        origin: this.origin,
        'sec-fetch-site': 'same-origin',
        'x-coinop-account': '1',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  /** A form as a page of ours sends it. */
  form(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<PortalAnswer> {
    return this.ask('POST', `/account${path}`, {
      headers: { origin: this.origin, 'sec-fetch-site': 'same-origin', ...headers },
      body: new URLSearchParams(fields),
    })
  }

  /** The field `csrf` of the page of signing in. */
  async csrf(path = '/account/sign-in'): Promise<string> {
    const { text } = await this.get(path)
    return /name="csrf"\s+value="([^"]+)"/.exec(text)![1]!
  }

  async signInByKey(key: string, next = '/account'): Promise<PortalAnswer> {
    return this.form('/sign-in/key', { csrf: await this.csrf(), next, api_key: key })
  }

  /** A message that the gateway made, with its signature. */
  async signed(account: PrivateKeyAccount): Promise<{ message: string; signature: string }> {
    const { json } = await this.api('POST', '/sign-in/wallet/nonce', {
      address: account.address,
      chainId: 1,
    })
    return { message: json.message, signature: await account.signMessage(json) }
  }

  async signInByWallet(account: PrivateKeyAccount): Promise<PortalAnswer> {
    return this.api('POST', '/sign-in/wallet', await this.signed(account))
  }
}

/** A gateway at a free port of `localhost`, the name that passkeys need, and that address. */
export async function startAtLocalhost(
  settings: Record<string, string>,
): Promise<{ gateway: GatewayProcess; url: string }> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const place = { PORT: String(port), PUBLIC_URL: url, SANDBOX_CHAIN: 'false' }
  return { gateway: await startGateway({ ...place, ...settings }), url }
}
