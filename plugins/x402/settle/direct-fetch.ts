/** fetch for the operator's own endpoints: never through a proxy that the environment names. */

/** Bun reads HTTP_PROXY at every call; only `proxy: false` turns that off (measured on Bun 1.4). */
export const directFetch: typeof fetch = Object.assign(
  (input: RequestInfo | URL, init?: RequestInit): Promise<Response> =>
    fetch(input, { ...init, proxy: false } as unknown as RequestInit),
  { preconnect: fetch.preconnect },
)
