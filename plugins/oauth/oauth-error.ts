/** Refusals in the words of RFC 6749, 7591 and 8707: `{"error", "error_description"}`. */
import { Type } from 'typebox'

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'temporarily_unavailable'

export interface Refusal {
  ok: false
  status: number
  error: OAuthErrorCode
  description: string
  headers?: Readonly<Record<string, string>>
}

/** Status 400; an unknown client is 401, because on exactly that hosts register again. */
export function refuse(error: OAuthErrorCode, description: string): Refusal {
  return { ok: false, status: error === 'invalid_client' ? 401 : 400, error, description }
}

/** 429: the caller, or everybody together, asks too often. */
export function tooOften(retryAfterS: number): Refusal {
  const description = `Too many requests; try again in ${retryAfterS} s`
  const headers = { 'retry-after': String(retryAfterS) }
  return { ok: false, status: 429, error: 'temporarily_unavailable', description, headers }
}

/** The answer to a refused request; nothing in it may be kept. */
export function refusalAnswer({ status, error, description, headers }: Refusal): Response {
  return oauthJson(status, { error, error_description: description }, headers)
}

/** JSON that nobody may keep (RFC 6749 section 5.1). */
export function oauthJson(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(body, {
    status,
    headers: { 'cache-control': 'no-store', pragma: 'no-cache', ...headers },
  })
}

/** For the OpenAPI document. */
export const OAuthRefusal = Type.Object({
  error: Type.String(),
  error_description: Type.Optional(Type.String()),
})
