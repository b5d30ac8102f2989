/** The pages of what is sold: all of it at `/`, and a page for each product and skill. */
import {
  type CatalogSnapshot,
  type Documents,
  formatUsd,
  listedSkills,
  type MountedSkill,
  type PublicReadiness,
} from '#kernel'
import { curlOf, exampleCall, type ExampleBody } from '../shared/documents/example-call.ts'
import { bodyValueSchema, isJsonType, MULTIPART_BODY } from '../shared/documents/request-places.ts'
import { MCP_PATH, servesMcp } from '../shared/mcp/contract.ts'
import { codeBlock, escaped, jsonBlock, pageOf, type PageFacts } from './markup.ts'
import { priceText, productPath, skillPath } from './skills.ts'

export interface StorefrontFacts extends Pick<PageFacts, 'operator' | 'isSandbox' | 'homes'> {
  publicUrl: string
  snapshot: CatalogSnapshot
  /** In the order in which they are named. */
  rails: ReturnType<Documents['rails']>
  /** Where people buy credits and make keys; null: nowhere here. */
  accountPath: string | null
}

/** The page at `/`: what is sold, at which price, how it is paid, and whether it is up. */
export function storefront(facts: StorefrontFacts, ready: PublicReadiness): string {
  const skills = soldSkills(facts.snapshot)
  const byProduct = Map.groupBy(skills, ({ product }) => product.id)
  const rails = OR.format(facts.rails.map(titleOf))
  const isOnMcp = servesMcp(facts.snapshot)
  const name = facts.operator.name ?? 'Coinop'
  const products = [...byProduct.values()]
    .map((sold) => {
      const { product } = sold[0]!
      return `<section aria-labelledby="product-${escaped(product.id)}"><h2 id="product-${escaped(product.id)}"><a href="${escaped(productPath(product.id))}">${escaped(product.title)}</a></h2>
<p class="quiet">${escaped(product.description)}</p><ul class="cards">${sold.map(card).join('')}</ul></section>`
    })
    .join('\n')
  const paid = skills.filter(({ metered }) => metered)
  const first = paid[0]
  const shown = paid.find(({ skill }) => skill.example?.output !== undefined)
  const checks = Object.entries(ready.checks)
    .map(
      ([check, { state, latencyMs }]) =>
        `<tr><td>${escaped(check)}</td><td class="${state}">${state}</td><td class="n">${latencyMs} ms</td></tr>`,
    )
    .join('')
  const chips = [...byProduct.values()]
    .map((sold) => {
      const { product } = sold[0]!
      return `<li><a href="#product-${escaped(product.id)}">${escaped(product.title)} <small>${sold.length}</small></a></li>`
    })
    .join('')
  const body = `<div class="hero"><div>
<p class="pill"><span>Status: <strong class="${ready.status}">${ready.status}</strong></span></p>
<h1>Machine work, sold one call at a time</h1>
<p class="lead">${escaped(name)} sells ${skills.length} ${skills.length === 1 ? 'skill' : 'skills'} to programs and agents. Pay by ${escaped(rails)}; there is no contract and no monthly fee.</p>
<ul class="facts"><li>A call that fails costs nothing</li>${paid.length > 0 ? `<li>From $${formatUsd(lowestAtomic(paid))} a call</li>` : ''}${isOnMcp ? '<li>HTTP and MCP, at the same prices</li>' : ''}</ul>
<p class="hosts">${first ? `<a class="host main" href="${escaped(skillPath((shown ?? first).skill.id))}">Try a call</a>` : ''}<a class="host" href="#pay">How to pay</a><a class="host" href="/docs">API reference</a></p>
</div>${shown ? exchange(facts.publicUrl, shown) : ''}</div>
<nav aria-label="Products"><ul class="chips">${chips}</ul></nav>
${products}
<section aria-labelledby="pay"><h2 id="pay">How to pay</h2>
<div class="two">
<div class="card"><h3>With a key</h3><p>Prepaid credits, 1 credit = $0.01. Send the key with each call.</p>${whereKeysAre(facts)}${first ? codeBlock(curlOf(facts.publicUrl, first), 'Example call with a key') : ''}</div>
${facts.rails
  .filter(({ id }) => id !== 'credits')
  .map(
    (rail) =>
      `<div class="card"><h3>By ${escaped(titleOf(rail))}</h3><p>${escaped(plain(rail.documents?.().howToPay ?? ''))}</p></div>`,
  )
  .join('')}
${isOnMcp ? mcpCard(facts.publicUrl) : ''}
</div></section>
<section aria-labelledby="up"><h2 id="up">Is it up?</h2><details><summary>${Object.keys(ready.checks).length} checks: <strong class="${ready.status}">${ready.status}</strong></summary><div class="table" tabindex="0" role="region" aria-label="Checks"><table><thead><tr><th scope="col">Check</th><th scope="col">State</th><th scope="col" class="n">Took</th></tr></thead><tbody>${checks}</tbody></table></div></details></section>`
  return pageOf(
    {
      ...facts,
      title: `${name}: machine work sold one call at a time`,
      description: `Skills for programs and agents, paid per call: ${rails}.`,
    },
    body,
  )
}

/** The page of one product; null when none of this id is listed. */
export function productPage(facts: StorefrontFacts, productId: string): string | null {
  const sold = soldSkills(facts.snapshot).filter(({ product }) => product.id === productId)
  const [first] = sold
  if (!first) return null
  const { product } = first
  return pageOf(
    { ...facts, title: product.title, description: product.description },
    `<h1>${escaped(product.title)}</h1><p class="lead">${escaped(product.description)}</p><h2>Skills</h2><ul class="cards">${sold.map(card).join('')}</ul>`,
  )
}

/** The page of one skill with something to try; null when none of this id is listed. */
export function skillPage(facts: StorefrontFacts, skillId: string): string | null {
  const mounted = soldSkills(facts.snapshot).find(({ skill }) => skill.id === skillId)
  if (!mounted) return null
  const { skill, product, route, tools } = mounted
  const price = priceText(mounted)
  const { example } = skill
  const body = `<p class="quiet"><a href="${escaped(productPath(product.id))}">${escaped(product.title)}</a></p>
<h1>${escaped(skill.title)}</h1><p class="lead">${escaped(skill.description)}</p>
<p class="price">${escaped(price.amount)} <small>${price.unit}</small></p>
<p><code>${escaped(route!.method)} ${escaped(route!.path)}</code>${tools.length > 0 && servesMcp(facts.snapshot) ? ` · MCP tool ${tools.map(({ name }) => `<code>${escaped(name)}</code>`).join(', ')}` : ''}</p>
${tryForm(facts, mounted)}
<h2>Example</h2><div class="two">
<div><h3>In</h3>${jsonBlock(bodyValueSchema(skill.input)?.['example'] ?? example?.input ?? {}, 'Example input')}</div>
<div>${example?.output === undefined ? `<h3>Schema of the answer</h3>${jsonBlock(skill.output, 'Schema of the output')}` : `<h3>Out</h3>${jsonBlock(example.output, 'Example output')}`}</div></div>
${codeBlock(curlOf(facts.publicUrl, mounted), 'Example call')}
<h2>Schemas</h2><div class="two"><details><summary>Input</summary>${jsonBlock(skill.input, 'Schema of the input')}</details>
<details><summary>Output</summary>${jsonBlock(skill.output, 'Schema of the output')}</details></div>`
  return pageOf(
    {
      ...facts,
      title: `${skill.title}: ${price.amount}`,
      description: skill.description,
    },
    body,
  )
}

function tryForm(facts: StorefrontFacts, mounted: MountedSkill): string {
  const { method, path, headers, body } = exampleCall(mounted)
  if (body?.type === MULTIPART_BODY)
    return '<h2>Try it</h2><p>This skill takes a form with files: the curl line below sends one.</p>'
  const wallets = facts.rails.flatMap((rail) => {
    const module = rail.documents?.().browserModule
    const isSold = mounted.skill.payer !== 'key' && mounted.rails.includes(rail.id)
    return module && isSold ? [{ title: titleOf(rail), module }] : []
  })
  const where = facts.isSandbox
    ? 'The start of this sandbox printed a test key.'
    : 'It stays on this page and is sent to this gateway alone.'
  return `<h2>Try it</h2>${mounted.metered ? whereKeysAre(facts) : ''}
<noscript><p>This form needs JavaScript; the curl line below does the same.</p></noscript>
<form class="needs-script" id="try" data-method="${escaped(method)}"${body === null ? '' : ` data-type="${escaped(body.type)}"`}>
<label>Path<input name="path" value="${escaped(path)}" autocomplete="off" spellcheck="false"></label>
${headers.map(headerField).join('')}${body === null ? '' : bodyField(body)}
${mounted.metered ? `<label>API key <small>${where}</small><input name="key" type="password" autocomplete="off" placeholder="ck_…"></label>` : ''}
<div class="buttons"><button type="submit" name="pay" value="key">${mounted.metered ? 'Call with the key' : 'Call'}</button>
${mounted.metered ? wallets.map(({ title, module }) => `<button type="submit" class="second" name="pay" value="${escaped(module)}">Pay with a browser wallet (${escaped(title)})</button>`).join('') : ''}</div>
<ol class="steps" id="steps" aria-live="polite"></ol><pre id="answer" tabindex="0" role="region" aria-label="Answer" hidden></pre></form>`
}

/** The way to a key for whoever has none. */
function whereKeysAre({ accountPath, operator }: StorefrontFacts): string {
  if (accountPath !== null)
    return `<p>No key yet? <a href="${escaped(accountPath)}">Sign in to your account</a>: it sells the credits and makes the keys.</p>`
  if (operator.supportUrl === null) return ''
  return `<p>No key yet? <a href="${escaped(operator.supportUrl)}">Ask the operator</a> for one.</p>`
}

function headerField([name, text]: readonly [string, string]): string {
  return `<label>Header ${escaped(name)}<input name="header:${escaped(name)}" value="${escaped(text)}" autocomplete="off" spellcheck="false"></label>`
}

/** Where the body is written, or its file is chosen. */
function bodyField({ type, text }: ExampleBody): string {
  if (text === null)
    return `<label>File <small>sent as ${escaped(type)}</small><input name="body" type="file"></label>`
  const isJson = isJsonType(type)
  const shown = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text
  return `<label>${isJson ? 'Input (JSON)' : `Input <small>sent as ${escaped(type)}</small>`}<textarea name="body" spellcheck="false">${escaped(shown)}</textarea></label>`
}

/** What one call looks like: its request, what it costs, its answer. */
function exchange(publicUrl: string, mounted: MountedSkill): string {
  const { skill } = mounted
  const { amount } = priceText(mounted)
  return `<div class="exchange"><p class="quiet">One call of ${escaped(skill.title)}: ${escaped(amount)}</p>
${codeBlock(curlOf(publicUrl, mounted), 'A request')}
${jsonBlock(skill.example!.output, 'Its answer')}</div>`
}

/** The lowest price of a call among skills that are charged, in atomic units. */
function lowestAtomic(paid: readonly MountedSkill[]): bigint {
  return paid.map(({ amountAtomic }) => amountAtomic).reduce((a, b) => (a < b ? a : b))
}

function card(mounted: MountedSkill): string {
  const { skill, route } = mounted
  const price = priceText(mounted)
  return `<li class="card"><h3><a href="${escaped(skillPath(skill.id))}">${escaped(skill.title)}</a></h3><p>${escaped(skill.description)}</p><p><code>${escaped(route!.method)} ${escaped(route!.path)}</code></p><p class="price">${escaped(price.amount)} <small>${price.unit}</small></p></li>`
}

/** 'credits, x402 or MPP'. */
const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' })
/** A rail's name for people. */
const titleOf = ({ id, title }: StorefrontFacts['rails'][number]): string => title ?? id

/** The listed skills with a route: those that have a page. */
export function soldSkills(snapshot: CatalogSnapshot): MountedSkill[] {
  return listedSkills(snapshot).filter(({ route }) => route !== null)
}

/** Markdown without its back quotes. */
const plain = (markdown: string): string => markdown.replaceAll('`', '')

function mcpCard(publicUrl: string): string {
  return `<div class="card"><h3>From an agent (MCP)</h3><p>The same skills are tools at <code>${escaped(publicUrl + MCP_PATH)}</code>, at the same prices.</p>
${mcpButtons(publicUrl)}
${codeBlock(mcpCommand(publicUrl), 'Command for Claude Code')}
<details><summary>Other MCP hosts</summary>${jsonBlock(mcpConfig(publicUrl), 'Configuration for other MCP hosts')}</details></div>`
}

function mcpCommand(publicUrl: string): string {
  return `claude mcp add --transport http coinop ${publicUrl + MCP_PATH} \\\n  --header "X-Api-Key: ck_…"`
}

/** This gateway as MCP hosts name a server in their settings; many hosts refuse dots in tool names. */
const mcpServer = (publicUrl: string) => ({
  type: 'http',
  url: `${publicUrl + MCP_PATH}?names=underscore`,
  headers: { 'X-Api-Key': 'ck_…' },
})

const mcpConfig = (publicUrl: string): object => ({ mcpServers: { coinop: mcpServer(publicUrl) } })

/** Links that open a host, which asks before it adds the server; the key is put in there. */
function mcpButtons(publicUrl: string): string {
  const server = mcpServer(publicUrl)
  const config = encodeURIComponent(Buffer.from(JSON.stringify(server)).toString('base64'))
  const links = [
    ['Cursor', `cursor://anysphere.cursor-deeplink/mcp/install?name=coinop&config=${config}`],
    [
      'VS Code',
      `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'coinop', ...server }))}`,
    ],
  ] as const
  return `<p class="hosts">${links.map(([host, href]) => `<a class="host" href="${escaped(href)}">Add to ${host}</a>`).join(' ')}</p>`
}
