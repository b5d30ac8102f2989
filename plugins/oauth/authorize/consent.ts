/**
 * GET and POST /account/consent: shown to who is signed in at the portal, answered once by the session
 * that opened it. Always asked: no earlier answer skips the page, because the name of a client proves
 * nothing.
 */
import {
  atomicToCredits,
  listedSkills,
  type AccountKeys,
  type Accounts,
  type Catalog,
  type Failure,
  type RouteRequest,
} from '#kernel'
import type { PortalSession, PortalSessions } from '../../shared/portal/contract.ts'
import type { Clients } from '../clients/clients.ts'
import { isRegistered } from '../clients/redirect.ts'
import { readForm } from '../form.ts'
import type { Grants } from '../grants/grants.ts'
import type { Places } from '../places.ts'
import { maySpend } from '../scope.ts'
import { backToClient, problemPage, sendTo } from './answers.ts'
import { boundsOf, budgetIn, type Bounds, type Budget } from '../grants/budget.ts'
import { CONSENT_TITLE, consentBody, type ConsentView } from './consent-page.ts'
import type { AuthorizationRequest, Requests } from '../grants/requests.ts'

const NOTHING: Budget = {
  limits: { callAtomic: null, dayAtomic: 0n, monthAtomic: null },
  products: null,
}

export interface ConsentDeps {
  places: Places
  clients: Clients
  requests: Requests
  grants: Grants
  accounts: Accounts
  accountKeys: AccountKeys
  catalog: Catalog
  portal(): PortalSessions | null
  /** In credits. */
  defaultDay: number
}

/** A request that is open in a session, with all that its page shows. */
interface Opened {
  portal: PortalSessions
  session: PortalSession
  request: AuthorizationRequest
  view: ConsentView
}

const SIGNED_OUT = 'Your session here has ended. Start again in the app, and sign in once more.'
const RENAMED = 'The app has changed its name meanwhile. Nothing was allowed yet: look at it again.'
const GONE =
  'This request has ended, was answered already, or belongs to another sign-in. Start again in the app.'

/** The page, or the way to the sign-in and back. */
export async function showConsent(deps: ConsentDeps, asked: RouteRequest): Promise<Response> {
  const portal = deps.portal()
  if (portal === null) return problemPage(null, 503, 'Nobody can sign in here at this moment.')
  const id = asked.query.get('request') ?? ''
  const session = await portal.session(asked)
  if (session === null)
    return sendTo(portal.signInUrl(`${deps.places.consentPath}?request=${encodeURIComponent(id)}`))
  const opened = await open(deps, portal, session, id)
  return opened === null ? problemPage(portal, 400, GONE) : page(opened)
}

/** Back to the client with a code or `access_denied`, or the page again with what was wrong. */
export async function answerConsent(
  deps: ConsentDeps,
  asked: RouteRequest,
): Promise<Response | Failure> {
  const portal = deps.portal()
  if (portal === null) return problemPage(null, 503, 'Nobody can sign in here at this moment.')
  const body = await readForm(asked, 'products')
  if (!body.ok) return problemPage(portal, 400, `${body.description}.`)
  const { form } = body
  const session = await portal.session(asked)
  if (session === null) return problemPage(portal, 401, SIGNED_OUT)
  const foreign = portal.checkPost(asked.request, session, form)
  if (foreign !== null) return foreign
  const decision = form.get('decision')
  if (decision !== 'allow' && decision !== 'deny')
    return problemPage(portal, 400, 'Choose to allow or to deny.')
  const id = form.get('request') ?? ''
  const opened = await open(deps, portal, session, id)
  if (opened === null) return problemPage(portal, 400, GONE)
  const { request, view } = opened
  if (decision === 'deny') {
    const taken = await deps.grants.deny(id, session.sessionHash)
    if (!taken) return problemPage(portal, 400, GONE)
    return backToClient(request, deps.places.issuer, { error: 'access_denied' })
  }
  // The grant is of the name that the person read, whatever the app's document says by now.
  if ((form.get('app') ?? view.client.name) !== view.client.name)
    return page({ ...opened, view: { ...view, filled: filledIn(form), problem: RENAMED } })
  const allowed = await deps.grants.allow({
    requestId: id,
    session,
    client: view.client,
    // Read again: another answer may have taken of the key's budget meanwhile.
    budget: async () =>
      maySpend(request.scope)
        ? budgetIn(
            form,
            view.products.map((product) => product.id),
            await boundsIn(deps.accountKeys, session),
          )
        : { ok: true, budget: NOTHING },
  })
  if (allowed === null) return problemPage(portal, 400, GONE)
  if (!allowed.ok)
    return page({ ...opened, view: { ...view, filled: filledIn(form), problem: allowed.message } })
  return backToClient(request, deps.places.issuer, { code: allowed.code })
}

/** What the page shows of a request; null: not there, or another session's. */
async function open(
  deps: ConsentDeps,
  portal: PortalSessions,
  session: PortalSession,
  requestId: string,
): Promise<Opened | null> {
  const request = await deps.requests.open(requestId, session.sessionHash)
  if (request === null) return null
  const [client, account, bounds] = await Promise.all([
    deps.clients.known(request.clientId),
    deps.accounts.get(session.accountId),
    boundsIn(deps.accountKeys, session),
  ])
  if (client === null || account === null) return null
  // Its document may have changed since: an address that it names no more gets no code.
  if (!isRegistered(request.redirectUri, client.redirectUris)) return null
  const view: ConsentView = {
    places: deps.places,
    requestId,
    csrf: session.csrf,
    client,
    redirectUri: request.redirectUri,
    scope: request.scope,
    availableAtomic: account.availableAtomic,
    products: soldIn(deps.catalog, bounds),
    bounds,
    filled: { day: dayIn(deps.defaultDay, bounds), month: '', call: '', products: [] },
    problem: null,
  }
  return { portal, session, request, view }
}

function page({ portal, view }: Opened): Response {
  return portal.page({
    title: CONSENT_TITLE,
    body: consentBody(view),
    status: view.problem === null ? 200 : 400,
    forms: 'elsewhere',
    session: null,
  })
}

/** What a session may give away at most; null: it may spend the whole balance. */
async function boundsIn(keys: AccountKeys, session: PortalSession): Promise<Bounds | null> {
  const { accountId, keyId } = session
  if (keyId === null) return null
  const key = await keys.get(accountId, keyId)
  if (key === null) return { limits: NOTHING.limits, products: [] }
  return boundsOf(key)
}

/** Products with a paid tool, by title. */
function soldIn(catalog: Catalog, bounds: Bounds | null): { id: string; title: string }[] {
  const own = bounds?.products ?? null
  const sold = new Map<string, string>()
  for (const { product, metered, tools } of listedSkills(catalog.current())) {
    if (!metered || tools.length === 0) continue
    if (own === null || own.includes(product.id)) sold.set(product.id, product.title)
  }
  return [...sold]
    .map(([id, title]) => ({ id, title }))
    .toSorted((a, b) => (a.title < b.title ? -1 : 1))
}

function dayIn(defaultDay: number, bounds: Bounds | null): string {
  const most = bounds?.limits.dayAtomic ?? null
  return String(most === null ? defaultDay : Math.min(defaultDay, atomicToCredits(most)))
}

function filledIn(form: URLSearchParams): ConsentView['filled'] {
  const field = (name: string): string => (form.get(name) ?? '').slice(0, 20)
  return {
    day: field('day'),
    month: field('month'),
    call: field('call'),
    products: form.getAll('products'),
  }
}
