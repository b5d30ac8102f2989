/** HTML of the pages for people: text is escaped, and every page has the same frame. */
import type { OperatorFacts } from '#kernel'
import { ICON } from '../shared/pages/icon.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as HTML shows it, also inside of an attribute in quotes. */
export function escaped(value: string): string {
  return value.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!)
}

/** A value as indented JSON in a block that scrolls by keyboard. */
export function jsonBlock(value: unknown, label: string): string {
  return codeBlock(JSON.stringify(value, null, 2) ?? '', label)
}

export function codeBlock(text: string, label: string): string {
  return `<pre tabindex="0" role="region" aria-label="${escaped(label)}"><code>${escaped(text)}</code></pre>`
}

export interface PageFacts {
  title: string
  description: string
  operator: OperatorFacts
  isSandbox: boolean
  /** Links of the head line besides the gateway's own. */
  homes: readonly { path: string; title: string }[]
}

const SANDBOX_BANNER =
  '<aside class="sandbox" aria-label="Sandbox"><strong>Sandbox: test money only.</strong> Nothing here costs real money. Sign no payment to it with a wallet that holds some.</aside>'

/** A whole document around `body`. */
export function pageOf(facts: PageFacts, body: string): string {
  const { operator, homes } = facts
  const name = operator.name ?? 'Coinop'
  const logo = operator.logoUrl
    ? `<img class="logo" src="${escaped(operator.logoUrl)}" alt="" height="28">`
    : `<img class="logo" src="${ICON}" alt="" width="28" height="28">`
  const links = [
    ['/', 'What is sold'],
    ['/docs', 'API reference'],
    ...homes.map(({ path, title }) => [path, title] as const),
  ]
    .map(([path, title]) => `<a href="${escaped(path!)}">${escaped(title!)}</a>`)
    .join('')
  const foot = [
    [operator.termsUrl, 'Terms'],
    [operator.privacyUrl, 'Privacy'],
    [operator.supportUrl, 'Support'],
    ['/openapi.json', 'OpenAPI'],
    ['/llms.txt', 'llms.txt'],
    ['/v1/prices', 'Prices as JSON'],
    ['/v1/products', 'Products as JSON'],
    ['/ready', 'Readiness'],
  ]
    .filter(([url]) => url !== null)
    .map(([url, title]) => `<a href="${escaped(url!)}">${title}</a>`)
    .join('')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="description" content="${escaped(facts.description)}">
<title>${escaped(facts.title)}</title><link rel="icon" href="${ICON}"><link rel="stylesheet" href="/docs/page.css"><script type="module" src="/docs/page.js"></script>
</head><body>
<a class="skip" href="#main">Skip to the content</a>
<header><a class="name" href="/">${logo}${escaped(name)}</a><nav aria-label="Pages">${links}</nav></header>
${facts.isSandbox ? SANDBOX_BANNER : ''}
<main id="main">
${body}
</main>
<footer><nav aria-label="Documents and terms">${foot}</nav><p>Work that failed is never charged. Runs on Coinop.</p></footer>
</body></html>`
}
