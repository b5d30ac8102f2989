/** What a browser gets in the course of a sign-in: a page, or the way back to the client. */
import type { PortalSessions } from '../../shared/portal/contract.ts'
import { html } from '../../shared/portal/html.ts'
import { withParameters } from '../clients/redirect.ts'
import type { AuthorizationRequest } from './requests.ts'

const ON_ITS_WAY = {
  'cache-control': 'no-store',
  // The page that it leads to is not told where the browser was.
  'referrer-policy': 'no-referrer',
}

/** 303 to a page of this gateway, or to another place. */
export function sendTo(url: string): Response {
  return new Response(null, { status: 303, headers: { ...ON_ITS_WAY, location: url } })
}

/** 303 to the client with a code or an error, its own state, and who answers (RFC 9207). */
export function backToClient(
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  issuer: string,
  answer: { code: string } | { error: string; error_description?: string },
): Response {
  const parameters = { ...answer, ...(state !== null && { state }), iss: issuer }
  return sendTo(withParameters(redirectUri, parameters))
}

/** A page that says why nothing can be done; nobody is sent anywhere. */
export function problemPage(
  portal: PortalSessions | null,
  status: number,
  message: string,
): Response {
  if (portal === null) {
    return new Response(`${message}\n`, {
      status,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      },
    })
  }
  return portal.page({
    title: 'This did not work',
    body: html`<h1>This did not work</h1>
      <p>${message}</p>
      <p>Nothing was allowed. You can close this page.</p>`,
    status,
    forms: 'self',
    session: null,
  })
}
