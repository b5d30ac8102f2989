/**
 * /.well-known/x402 (and .json): everything that x402 buys here, for crawlers that do not read
 * /openapi.json. Made once per snapshot; prices are strings of USDC atomic units.
 */
import {
  type Catalog,
  type CatalogSnapshot,
  isFlatPrice,
  isKnown,
  isOnePlace,
  listedSkills,
  priceView,
  type MountedRoute,
  type MountedSkill,
  type OperatorFacts,
  type Quote,
  type QuoteBook,
  type Route,
} from '#kernel'
import { Packer } from '../../shared/packed.ts'
import type { X402Rail } from '../rail.ts'

export interface DiscoveryDeps {
  rail: X402Rail
  catalog: Catalog
  quotes: Pick<QuoteBook, 'http' | 'tool'>
  publicUrl: string
  /** PREPAID_FIAT: whether top-ups by card or transfer are open. */
  prepaidFiat: boolean
  operator: OperatorFacts
}

/** Both paths of the discovery document. */
export function discoveryRoutes(deps: DiscoveryDeps): Route[] {
  let made: { key: string; text: string; etag: string } | null = null
  const document = (): { text: string; etag: string } => {
    const snapshot = deps.catalog.current()
    const { core } = deps.rail
    const open = core?.entries.map((entry) => entry.available().ok)
    const key = `${snapshot.version} ${open} ${core?.offers.version} ${core?.chainRef}`
    if (made?.key !== key) {
      const text = JSON.stringify(discoveryOf(deps, snapshot))
      made = { key, text, etag: `"${Bun.hash(text).toString(36)}"` }
    }
    return made
  }
  const packer = new Packer()
  return ['/.well-known/x402', '/.well-known/x402.json'].map((path) => ({
    method: 'GET',
    path,
    auth: 'public',
    tag: 'x402',
    summary: 'x402 discovery: every paid resource with its price',
    statuses: [304],
    handler: ({ request }) => {
      const { text, etag } = document()
      const headers = { 'content-type': 'application/json', etag, 'cache-control': 'no-cache' }
      return isKnown(request, etag)
        ? new Response(null, { status: 304, headers })
        : packer.answer(request, text, { headers })
    },
  }))
}

function discoveryOf(deps: DiscoveryDeps, snapshot: CatalogSnapshot): unknown {
  const { rail, publicUrl, prepaidFiat } = deps
  // What only a key may buy has no offer for a crawler's wallet.
  const paid = listedSkills(snapshot).filter(
    ({ metered, skill }) => metered && skill.payer !== 'key',
  )
  return {
    version: 1,
    x402Version: 2,
    name: 'Coinop',
    ...(rail.core?.chainRef && {
      sandbox: true,
      notice:
        'Sandbox: a local chain with test money that has the id of the real network. Nothing here costs real money; never sign for it with a wallet that holds some.',
    }),
    description: 'Small machine work for programs and agents, paid one call at a time.',
    default_rail: 'x402',
    x402_available: rail.available().ok,
    prepaid_fiat_available: prepaidFiat,
    fiat_mix: prepaidFiat ? 'open' : 'closed',
    resources: paid.flatMap((mounted) => {
      const route = placeOf(mounted)
      return route ? [`${publicUrl}${route.path}`] : []
    }),
    items: paid.flatMap((mounted) => itemsOf(deps, mounted)),
    ...operatorMembers(deps.operator),
    openapi: `${publicUrl}/openapi.json`,
    mcp: `${publicUrl}/mcp`,
    llms: `${publicUrl}/llms.txt`,
  }
}

/** Whose gateway it is, as far as the operator says. */
function operatorMembers({ name, ...urls }: OperatorFacts): Record<string, string> {
  const members = {
    operator: name,
    icon: urls.logoUrl,
    terms: urls.termsUrl,
    privacy: urls.privacyUrl,
    support: urls.supportUrl,
  }
  return Object.fromEntries(
    Object.entries(members).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  )
}

/** The route to name to a crawler; null for none, and for one that is many places. */
function placeOf({ route }: MountedSkill): MountedRoute | null {
  return route && isOnePlace(route) ? route : null
}

/** The places of a skill: its route, then its tools. */
function itemsOf(deps: DiscoveryDeps, mounted: MountedSkill): unknown[] {
  const { quotes } = deps
  const [first] = mounted.tools
  const http = placeOf(mounted) ? [itemOf(deps, mounted, quotes.http(mounted), first?.name)] : []
  const tools = mounted.tools.map((tool) =>
    itemOf(deps, mounted, quotes.tool(mounted, tool), tool.name),
  )
  return [...http, ...tools]
}

function itemOf(
  { rail }: DiscoveryDeps,
  mounted: MountedSkill,
  quote: Quote,
  tool?: string,
): unknown {
  const sold = mounted.rails.includes('x402') && rail.available().ok && rail.core !== null
  const challenge = sold && rail.offer(quote) ? rail.core!.offers.of(quote) : null
  return {
    resource: quote.resourceUrl,
    type: quote.transport,
    method: quote.method,
    skill: quote.skillId,
    ...(tool !== undefined && { tool }),
    title: quote.title,
    // The most that a call costs; an `upto` payment is charged what was measured.
    price: quote.amountAtomic.toString(),
    ...(!isFlatPrice(mounted.price) && { rule: priceView(mounted.price) }),
    rails: mounted.rails,
    ...(challenge && {
      x402Version: 2,
      accepts: challenge.required.accepts,
      extensions: { bazaar: challenge.required.extensions!['bazaar'] },
    }),
  }
}
