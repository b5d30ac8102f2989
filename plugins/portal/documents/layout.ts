/** The HTML documents of the portal and their headers. */
import type { OperatorFacts } from '#kernel'
import { pageHeaders } from '../../shared/pages/headers.ts'
import { ICON } from '../../shared/pages/icon.ts'
import { LATE } from '../../shared/pages/late.ts'
import { html, type Html, type HtmlValue } from '../../shared/portal/html.ts'
import type { PortalPage } from '../../shared/portal/contract.ts'
import { FOLDER, type Site } from '../site.ts'
import { TABS, type TabPath } from '../tabs.ts'

/** What every page is made with. */
export interface PageFacts {
  site: Site
  operator: OperatorFacts
  isSandbox: boolean
  /** Tabs whose product is not loaded. */
  hiddenTabs(): readonly TabPath[]
}

/** A page of HTML alone; `script`: the name of a script of ours that adds to it. */
export function pageResponse(
  facts: PageFacts,
  page: PortalPage & { script?: string; headers?: Record<string, string> },
): Response {
  const { site } = facts
  const hasScript = page.script !== undefined
  const headers = new Headers({
    ...pageHeaders('text/html', {
      policy: {
        'form-action': page.forms === 'self' ? "'self'" : null,
        'script-src': hasScript ? "'self'" : "'none'",
        'connect-src': hasScript ? "'self'" : "'none'",
      },
      referrer: 'same-origin',
      // Hosts open sign-in and consent as popups and wait for them.
      leavesOpener: page.session !== null,
    }),
    ...page.headers,
  })
  const frame = html`<header>${brand(facts)}${page.session !== null && links(facts)}</header>
    ${sandbox(facts)}
    <main id="main">${page.body}</main>
    ${foot(facts)}`
  const scripts = hasScript
    ? html`<script type="module" src="${site.home}/${page.script!}"></script>`
    : null
  return new Response(documentOf(facts, page.title, scripts, frame), {
    status: page.status ?? 200,
    headers,
  })
}

/** The document that the script of the account pages fills. */
export function appResponse(facts: PageFacts): Response {
  const { site, operator, isSandbox, hiddenTabs } = facts
  const head = html`<meta name="coinop-operator" content="${operator.name ?? 'Coinop'}" />
    <meta name="coinop-sandbox" content="${String(isSandbox)}" />
    <meta name="coinop-hidden-tabs" content="${hiddenTabs().join(' ')}" />
    <script type="module" src="${site.home}/account.js"></script>`
  const body = html`${sandbox(facts)}
    <div id="app"><p class="late">${LATE}</p></div>
    ${foot(facts)}<noscript
      ><p class="note warn">
        These pages need JavaScript. Signing in, and giving an app access, work without it; the same
        numbers are told by the API.
      </p></noscript
    >`
  return new Response(documentOf(facts, 'Account', head, body), {
    headers: pageHeaders('text/html', { referrer: 'same-origin' }),
  })
}

/** A page that says what went wrong. */
export function problemPage(
  facts: PageFacts,
  problem: { status: number; title: string; message: string; requestId: string },
  headers: Record<string, string> = {},
): Response {
  const { status, title, message, requestId } = problem
  return pageResponse(facts, {
    title,
    status,
    forms: 'self',
    session: null,
    headers,
    body: html`<h1>${title}</h1>
      <div class="note bad" role="alert">${message}<small>request id ${requestId}</small></div>
      <p><a href="${facts.site.home}">To the account pages</a></p>`,
  })
}

function documentOf(
  { site, operator }: PageFacts,
  title: string,
  head: HtmlValue,
  body: Html,
): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <meta name="coinop-base-path" content="${site.home}" />
        <title>${title} · ${operator.name ?? 'Coinop'}</title>
        <link rel="icon" href="${ICON}" />
        <link rel="stylesheet" href="${site.home}/account.css" />
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html> `.text
}

function brand({ site, operator }: PageFacts): Html {
  return html`<a class="brand" href="${site.home}">${operator.name ?? 'Coinop'}</a>`
}

function links({ site, hiddenTabs }: PageFacts): Html {
  const hidden = hiddenTabs()
  const list = TABS.filter(({ path }) => !hidden.includes(path)).map(
    ({ path, title }) =>
      html`<a href="${path === '' ? site.home : `${site.home}/${path}`}">${title}</a>`,
  )
  return html`<nav aria-label="Account">${list}</nav>`
}

function sandbox({ isSandbox }: PageFacts): HtmlValue {
  if (!isSandbox) return null
  return html`<aside class="sandbox" aria-label="Mode">
    <strong>Sandbox: test money only.</strong> Sign no payment here with a wallet that holds some.
  </aside>`
}

function foot({ site, operator }: PageFacts): Html {
  const { termsUrl, privacyUrl, supportUrl } = operator
  const list = [
    [site.home.slice(0, -FOLDER.length) + '/', 'What is sold'],
    [termsUrl, 'Terms'],
    [privacyUrl, 'Privacy'],
    [supportUrl, 'Support'],
  ].flatMap(([url, title]) =>
    typeof url === 'string' ? [html`<a href="${url}">${title!}</a>`] : [],
  )
  return html`<footer><nav aria-label="Documents">${list}</nav></footer>`
}
