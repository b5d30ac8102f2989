/**
 * What the portal at /account provides to other plugins: who is signed in there, and the look of its
 * pages, for pages of theirs below /account.
 */
import type { Failure, RouteRequest } from '#kernel'
import type { Html } from './html.ts'

/** The name under which it is provided. */
export const PORTAL_SESSIONS = 'portal-sessions'

export interface PortalSession {
  /** Open when it was read; whoever acts on it much later asks again. */
  accountId: string
  mode: 'live' | 'test'
  /** The key that signed in; null: a wallet, e-mail or passkey. What is made in the session hangs on it. */
  keyId: string | null
  /** 'limited': it signed in with a key that has a budget, and may make grants inside that alone. */
  role: 'owner' | 'limited'
  /** Value of the hidden field `csrf` of every form of this session. */
  csrf: string
  /** SHA-256 of the session's secret in hex: other tables name the session by it. */
  sessionHash: string
}

export interface PortalPage {
  title: string
  /** What stands inside <main>; no script. */
  body: Html
  /** Default 200. */
  status?: number
  /**
   * 'self': forms end on this site, and the policy says so. 'elsewhere': the answer to a form leads to
   * another site, so the policy has no form-action, which browsers hold against redirects too.
   */
  forms: 'self' | 'elsewhere'
  /** Whose links to the portal's pages stand above; null: none, as on sign-in and consent. */
  session: PortalSession | null
}

export interface PortalSessions {
  /**
   * Who is signed in by the cookie of the request, which counts as a use; null: nobody, or a key from
   * where it may not be used.
   */
  session(asked: Pick<RouteRequest, 'request' | 'clientAddress'>): Promise<PortalSession | null>
  /** Path of the sign-in page that leads on to `next`, a path of this site with its query. */
  signInUrl(next: string): string
  /**
   * Whether a form was sent by a page of this session: its `csrf` field, Origin, Sec-Fetch-Site. Null:
   * it was; else the 403.
   */
  checkPost(request: Request, session: PortalSession, form: URLSearchParams): Failure | null
  /** A page in the portal's look with all of its headers. */
  page(page: PortalPage): Response
}
