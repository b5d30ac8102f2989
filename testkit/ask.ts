/** Requests of the contract suite to the gateway under test. */

/** A sandbox gateway that serves the skills to be tested. */
export interface ContractTarget {
  url: string
  adminToken: string
}

/** An answer; `json` is the body as text where it is not JSON. */
export interface Sent {
  status: number
  headers: Headers
  json: unknown
}

/** Sends a body as JSON, a text as it is. */
export async function send(
  target: ContractTarget,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Sent> {
  const response = await fetch(target.url + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: parse(text) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
