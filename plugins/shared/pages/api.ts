/** Requests of a page to the gateway, by the session of who signed in. */

/** The gateway refused, or could not be reached (status 0). The message is for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly requestId: string | null
  readonly reason: string | null
  /** The session that the request came with is over. */
  readonly isSignedOut: boolean

  constructor(
    message: string,
    facts: {
      status: number
      requestId?: string | null
      reason?: string | null
      isSignedOut?: boolean
    },
  ) {
    super(message)
    this.status = facts.status
    this.requestId = facts.requestId ?? null
    this.reason = facts.reason ?? null
    this.isSignedOut = facts.isSignedOut ?? false
  }
}

/** What somebody typed cannot be sent as it is. The message is for people. */
export class InputError extends Error {
  override readonly name = 'InputError'
}

export interface Asked {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Members that are null or '' are left out. */
  query?: Record<string, string | number | null | undefined>
  body?: unknown
  /** YAML in the place of `body`. */
  text?: string
  headers?: Record<string, string>
  signal?: AbortSignal
  /** A bearer to ask with instead of the session's rights. */
  token?: string
  /** Statuses besides 2xx whose body is the answer. */
  alsoFine?: readonly number[]
}

/** How a page asks the routes below its own path. */
export interface PageClient {
  /** That path as the browser sees it: a proxy may put it below another one. */
  home(): string
  /**
   * The JSON answer at a path below it. Throws an ApiError for a refusal, a network failure, or an
   * answer that is not JSON.
   */
  ask<T>(path: string, asked?: Asked): Promise<T>
}

/**
 * The client of a page whose document names its path in the meta element `coinop-base-path`;
 * `header`, which pages of other origins cannot add, goes with each request.
 */
export function pageClient(header: string): PageClient {
  const home = (): string => {
    const meta = document.querySelector('meta[name="coinop-base-path"]')
    const basePath = meta?.getAttribute('content') ?? ''
    const { pathname } = location
    const at = pathname.lastIndexOf(basePath)
    return at === -1 ? basePath : pathname.slice(0, at) + basePath
  }
  return { home, ask: (path, asked = {}) => askAt(home() + path, header, asked) }
}

async function askAt<T>(path: string, header: string, asked: Asked): Promise<T> {
  const { method = 'GET', body, text, signal, token, alsoFine = [] } = asked
  let response: Response
  try {
    response = await fetch(path + queryText(asked.query), {
      method,
      signal,
      mode: 'same-origin',
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      headers: {
        accept: 'application/json',
        [header]: '1',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(text !== undefined && { 'content-type': 'application/yaml' }),
        ...asked.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(text !== undefined && { body: text }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError('The gateway cannot be reached. Is it running, and are you online?', {
      status: 0,
    })
  }
  const answer: unknown = await response.json().catch(() => undefined)
  if ((response.ok || alsoFine.includes(response.status)) && answer !== undefined) {
    return answer as T
  }
  throw refusalOf(response, answer, response.status === 401 && token === undefined)
}

function queryText(query: Asked['query'] = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

function refusalOf({ status, headers }: Response, answer: unknown, isSignedOut: boolean): ApiError {
  const { error } = (answer ?? {}) as {
    error?: { message?: unknown; requestId?: unknown; details?: { reason?: unknown } }
  }
  const reason = error?.details?.reason
  return new ApiError(
    typeof error?.message === 'string'
      ? error.message
      : `The gateway answered ${status} without saying why.`,
    {
      status,
      requestId:
        typeof error?.requestId === 'string' ? error.requestId : headers.get('x-request-id'),
      reason: typeof reason === 'string' ? reason : null,
      isSignedOut,
    },
  )
}
