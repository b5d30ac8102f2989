/** Requests to the gateway's own routes, by way of the console and the session of who signed in. */

/** The gateway refused, or could not be reached (status 0). The message is for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly requestId: string | null
  readonly reason: string | null

  constructor(
    message: string,
    facts: { status: number; requestId?: string | null; reason?: string | null },
  ) {
    super(message)
    this.status = facts.status
    this.requestId = facts.requestId ?? null
    this.reason = facts.reason ?? null
  }
}

/** What somebody typed cannot be sent as it is. The message is for people. */
export class InputError extends Error {
  override readonly name = 'InputError'
}

export interface Asked {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Members that are null or '' are left out. */
  query?: Record<string, string | number | null | undefined>
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
  /** A bearer to ask with instead of the operator's rights. */
  token?: string
  /** Statuses besides 2xx whose body is the answer. */
  alsoFine?: readonly number[]
}

/** Path of the console as the browser sees it: a proxy may put it below another path. */
function home(): string {
  const meta = document.querySelector('meta[name="coinop-base-path"]')
  const basePath = meta?.getAttribute('content') ?? '/console'
  const { pathname } = location
  const at = pathname.lastIndexOf(basePath)
  return at === -1 ? basePath : pathname.slice(0, at) + basePath
}

/** The answer of the gateway's route at `path`, like `askOwn`. */
export function ask<T>(path: string, asked: Asked = {}): Promise<T> {
  return askOwn(`/api${path}`, asked)
}

/**
 * The JSON answer of the console itself at a path below its own. Throws an ApiError for a refusal, a
 * network failure, or an answer that is no JSON.
 */
export async function askOwn<T>(path: string, asked: Asked = {}): Promise<T> {
  const { method = 'GET', body, signal, token, alsoFine = [] } = asked
  let response: Response
  try {
    response = await fetch(home() + path + queryText(asked.query), {
      method,
      signal,
      mode: 'same-origin',
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      headers: {
        accept: 'application/json',
        'x-coinop-console': '1',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...asked.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
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
  throw refusalOf(response, answer)
}

function queryText(query: Asked['query'] = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

function refusalOf({ status, headers }: Response, answer: unknown): ApiError {
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
    },
  )
}
