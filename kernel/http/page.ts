/** The page at `/` for people: what this is, whether it is well, and where to go. */
import { formatUsd } from '../money.ts'
import type { CatalogSnapshot } from '../plugins/catalog.ts'
import { pricePhrase } from '../pricing/phrase.ts'
import { isFlat } from '../pricing/view.ts'
import type { ReadyReport } from './health.ts'
import { listedSkills } from '../products/visibility.ts'
import type { Rail } from '../rails/contract.ts'
import { titleOf } from '../rails/registry.ts'

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const text = (value: string): string =>
  value.replaceAll(/[&<>"']/g, (character) => escapes[character]!)

/** HTML of the page for people, with links to `homes`; `rails` in the order it names them. */
export function healthPage(
  ready: ReadyReport,
  snapshot: CatalogSnapshot,
  homes: readonly { path: string; title: string }[],
  rails: readonly Rail[],
  isSandbox = false,
): string {
  const checks = Object.entries(ready.checks)
    .map(
      ([name, check]) =>
        `<tr><td>${text(name)}</td><td class="${check.state}">${check.state}</td><td class="n">${check.latencyMs} ms</td></tr>`,
    )
    .join('')
  const skills = listedSkills(snapshot)
    .filter((mounted) => mounted.route)
    .map(
      ({ skill, route, metered, amountAtomic, price }) =>
        `<tr><td><code>${text(route!.method)} ${text(route!.path)}</code></td><td>${text(skill.title)}</td><td class="p">${metered ? text(pricePhrase(price)) : 'free'}</td><td class="n">${metered ? `${isFlat(price) ? '' : 'at most '}$${formatUsd(amountAtomic)}` : ''}</td></tr>`,
    )
    .join('')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Coinop</title><style>
:root{color-scheme:light dark;--line:#8884}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:3rem auto;padding:0 1rem}
h1{margin:0}h2{margin:2rem 0 .5rem;font-size:1.1rem}
.table{overflow-x:auto}table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line)}
.n{text-align:right;white-space:nowrap}.p{text-align:right}.ok{color:#2a8a3e}.degraded{color:#b7791f}.down{color:#c53030}
nav a{margin-right:1rem}
</style></head><body>
<h1>Coinop</h1>
<p>Machine work sold one call at a time: ${text(rails.map(titleOf).join(' or '))}. Status: <strong class="${ready.status === 'ready' ? 'ok' : ready.status === 'degraded' ? 'degraded' : 'down'}">${ready.status}</strong></p>
${isSandbox ? '<p><strong>Sandbox: test money only.</strong> Nothing here costs real money, and no payment to it should be signed with a wallet that holds some.</p>' : ''}
<nav>${homes.map(({ path, title }) => `<a href="${text(path)}">${text(title)}</a>`).join('')}<a href="/docs">API reference</a><a href="/openapi.json">openapi.json</a><a href="/v1/prices">Prices</a><a href="/v1/products">Products</a><a href="/llms.txt">llms.txt</a><a href="/metrics">Metrics</a><a href="/ready">Readiness</a></nav>
<h2>Checks</h2><div class="table"><table>${checks}</table></div>
<h2>For sale</h2><div class="table"><table>${skills}</table></div>
</body></html>`
}
