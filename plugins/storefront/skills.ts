/** What pages tell of one skill: its price, its page, and how to call it. */
import { formatUsd, isFlatPrice, pricePhrase, type MountedSkill } from '#kernel'

/** Path of the page of a skill. */
export function skillPath(skillId: string): string {
  return `/docs/skills/${encodeURIComponent(skillId)}`
}

/** Path of the page of a product. */
export function productPath(productId: string): string {
  return `/docs/products/${encodeURIComponent(productId)}`
}

export interface PriceText {
  /** '2 credits', '1 credit + 2 credits per page, at most 40 credits', or 'free'. */
  amount: string
  /** '$0.02 per call', 'at most $0.40 per call'; '' for what is free. */
  unit: string
}

/** The price of one call as a buyer reads it. */
export function priceText({ metered, amountAtomic, price }: MountedSkill): PriceText {
  if (!metered) return { amount: 'free', unit: '' }
  const most = isFlatPrice(price) ? '' : 'at most '
  return { amount: pricePhrase(price), unit: `${most}$${formatUsd(amountAtomic)} per call` }
}

/** Query text of a GET's example input, with '?'; '' for none. */
function exampleQuery(input: unknown, pathNames: ReadonlySet<string>): string {
  const members = Object.entries((input ?? {}) as Record<string, unknown>).filter(
    ([name]) => !pathNames.has(name),
  )
  const query = new URLSearchParams(
    members.map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString()
  return query === '' ? '' : `?${query}`
}

/** The example call of a skill with a route: method, path with values, and the body or null. */
export function exampleCall({ skill, route }: MountedSkill): {
  method: string
  path: string
  body: unknown
} {
  const { method, path } = route!
  const input = (skill.example?.input ?? {}) as Record<string, unknown>
  const inPath = new Set([...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!))
  const filled = path.replaceAll(/\{([^}]+)\}/g, (whole, name: string) => {
    const value = input[name]
    return typeof value === 'string' || typeof value === 'number'
      ? encodeURIComponent(String(value))
      : whole
  })
  if (method === 'GET' || method === 'DELETE')
    return { method, path: filled + exampleQuery(input, inPath), body: null }
  const rest = Object.entries(input).filter(([name]) => !inPath.has(name))
  return {
    method: method === 'ANY' ? 'POST' : method,
    path: filled,
    body: Object.fromEntries(rest),
  }
}

/** A curl line that buys one call with a key. */
export function curlOf(publicUrl: string, mounted: MountedSkill): string {
  const { method, path, body } = exampleCall(mounted)
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${shellQuoted(publicUrl + path)}'`,
    ...(mounted.metered ? [`-H 'X-Api-Key: ck_…'`] : []),
    ...(body === null
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${shellQuoted(JSON.stringify(body))}'`]),
  ]
  return parts.join(' \\\n  ')
}

const shellQuoted = (text: string): string => text.replaceAll("'", "'\\''")
