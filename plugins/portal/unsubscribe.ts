/**
 * Ending mails of a low balance from the mail itself: the one click of mail programs (RFC 8058), and a
 * page with a button for who follows the link. The token names account and mailbox, is good for nothing
 * else, and needs no session. Mail scanners open links, so opening it changes nothing.
 */
import type { PluginDb, Route, RouteRequest, Vault } from '#kernel'
import { html, type Html } from '../shared/portal/html.ts'
import { pageResponse, problemPage, type PageFacts } from './documents/layout.ts'
import type { Settings } from './settings.ts'
import { FOLDER, type Site } from './site.ts'

export interface UnsubscribeDeps {
  db: PluginDb
  facts: PageFacts
  settings: Pick<Settings, 'forgetMailbox'>
  vault: Pick<Vault, 'open'>
}

const PATH = '/notices/end'
/** Begins what is sealed: no other text that the vault sealed is a token. */
const PURPOSE = 'end low balance mails'
/** The body that RFC 8058 asks mail programs to send. */
const ONE_CLICK = ['List-Unsubscribe', 'One-Click'] as const

/** Where mails of a low balance to this mailbox end. */
export async function unsubscribeUrl(
  vault: Pick<Vault, 'seal'>,
  site: Site,
  { accountId, email }: Mailbox,
): Promise<string> {
  const url = new URL(site.uri + PATH)
  url.searchParams.set('token', await vault.seal(JSON.stringify([PURPOSE, accountId, email])))
  return url.href
}

interface Mailbox {
  accountId: string
  email: string
}

export function unsubscribeRoutes(deps: UnsubscribeDeps): Route[] {
  const { db, facts, settings } = deps
  const route = (
    method: 'GET' | 'POST',
    summary: string,
    show: (mailbox: Mailbox, token: string) => Promise<Html> | Html,
  ): Route => ({
    method,
    path: FOLDER + PATH,
    auth: 'public',
    tag: 'Account pages',
    sameOrigin: true,
    rateLimited: true,
    summary,
    handler: async (request) => {
      const token = request.query.get('token') ?? ''
      const mailbox = await mailboxOf(deps, token)
      if (mailbox === null) return refused(facts, request)
      const body = await show(mailbox, token)
      return pageResponse(facts, { title: 'Mails', forms: 'self', session: null, body })
    },
  })
  return [
    route('GET', 'The page that ends mails of a low balance', ({ email }, token) =>
      question(facts.site, email, token),
    ),
    route('POST', 'Ends mails of a low balance', async ({ accountId, email }) => {
      await settings.forgetMailbox(db, accountId, email)
      return ended(facts.site, email)
    }),
  ]
}

/** Whose mails the token ends; null: it was not made here. */
async function mailboxOf({ vault }: UnsubscribeDeps, token: string): Promise<Mailbox | null> {
  const text = await vault.open(token).catch(() => null)
  if (text === null) return null
  const [purpose, accountId, email] = parsed(text)
  if (purpose !== PURPOSE || typeof accountId !== 'string' || typeof email !== 'string') return null
  return { accountId, email }
}

function parsed(text: string): unknown[] {
  try {
    const read: unknown = JSON.parse(text)
    return Array.isArray(read) ? read : []
  } catch {
    // Secrets of webhooks are sealed too, and are no JSON.
    return []
  }
}

function refused(facts: PageFacts, { requestId }: RouteRequest): Response {
  const message =
    'This link is cut off or of another gateway. Sign in and end the mails in your settings.'
  return problemPage(facts, { status: 400, title: 'That did not work', message, requestId })
}

function question(site: Site, email: string, token: string): Html {
  const [name, value] = ONE_CLICK
  const target = `${site.home}${PATH}?token=${encodeURIComponent(token)}`
  return html`<h1>Mails of a low balance</h1>
    <form method="post" action="${target}">
      <input type="hidden" name="${name}" value="${value}" />
      <p>No more mails of a low balance go to <code>${email}</code>.</p>
      <button type="submit" class="main">End these mails</button>
    </form>`
}

function ended(site: Site, email: string): Html {
  return html`<h1>These mails have ended</h1>
    <p>
      No more mails of a low balance go to <code>${email}</code>. In your
      <a href="${site.home}/settings">settings</a> you can switch them on again.
    </p>`
}
