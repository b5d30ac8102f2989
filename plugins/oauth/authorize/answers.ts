/** What a browser gets in the course of a sign-in: a page, or the way back to the client. */
import type { PortalSessions } from '../../shared/portal/contract.ts'
import { html } from '../../shared/portal/html.ts'
import { shownHost, withParameters } from '../clients/redirect.ts'
import type { AuthorizationRequest } from '../grants/requests.ts'

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
  return sendTo(placeBack({ redirectUri, state }, issuer, answer))
}

function placeBack(
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  issuer: string,
  answer: Readonly<Record<string, string>>,
): string {
  return withParameters(redirectUri, { ...answer, ...(state !== null && { state }), iss: issuer })
}

/**
 * An error of the request, on its way to the client. Anybody registers a client with an address of any
 * site, so that a link to this gateway would lead there by itself (RFC 9700 section 4.11.2): the person
 * is shown where it leads, and goes on if they want to. Only an https address becomes a link. A program on their own computer is told at once.
 */
export function errorToClient(
  portal: PortalSessions | null,
  request: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  issuer: string,
  error: { error: string; error_description: string },
): Response {
  const { redirectUri } = request
  if (!redirectUri.startsWith('https:')) return backToClient(request, issuer, error)
  const message = `The app's request cannot be answered: ${error.error_description}.`
  const link = { url: placeBack(request, issuer, error), host: shownHost(redirectUri) }
  return problemPage(portal, 400, message, link)
}

/** A page that says why nothing can be done; nobody is sent anywhere, but `link` may be followed. */
export function problemPage(
  portal: PortalSessions | null,
  status: number,
  message: string,
  link: { url: string; host: string } | null = null,
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
      <p>Nothing was allowed. You can close this page.</p>
      ${link && html`<p><a href="${link.url}" rel="noreferrer">Go to the app at ${link.host}</a></p>`}`,
    status,
    forms: 'self',
    session: null,
  })
}
