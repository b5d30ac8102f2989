/** What `coinop start` prints: a tree of URLs, what was made at this first start, a ready call. */

import type { AdminToken } from '../kernel/auth/secrets.ts'

export interface BannerFacts {
  url: string
  /** Where it really listens, when PUBLIC_URL says otherwise. */
  listening: string
  sandbox: boolean
  database: string
  skills: number
  products: number
  /** Whether the call that is shown as an example can be bought. */
  sellsHash: boolean
  /** Whether there are skills to buy as tools at /mcp. */
  sellsTools: boolean
  /** Pages of products for people. */
  homes: readonly { url: string; title: string }[]
  rails: readonly { id: string; state: string }[]
  problems: readonly string[]
  /** What each plugin wants printed. */
  notes: readonly (readonly string[])[]
  adminToken: AdminToken
  /** Made at this start; shown once. */
  made: { key?: { key: string; credits: number } }
}

/** The lines to print. */
export function banner(facts: BannerFacts): string[] {
  const { url, made, adminToken } = facts
  const lines = [
    '',
    `coinop listening on ${facts.listening}${facts.sandbox ? '  (sandbox: test money only)' : ''}`,
    `├─ ${url}/               what is sold, and is it up`,
    ...facts.homes.map((home) => `├─ ${home.url.padEnd(url.length + 15)} ${home.title}`),
    `├─ ${url}/docs           API reference`,
    `├─ ${url}/openapi.json   machine-readable`,
    `├─ ${url}/v1/prices      ${counted(facts.skills, 'skill')} of ${counted(facts.products, 'product')}`,
    ...(facts.sellsTools ? [`├─ ${url}/mcp            the same skills as MCP tools`] : []),
    `├─ ${url}/ready          readiness`,
    `└─ ${url}/metrics        counters`,
    `   database  ${facts.database}`,
    ...facts.rails.map((rail) => `   rail      ${rail.id}: ${rail.state}`),
    ...facts.problems.map((problem) => `   problem   ${problem}`),
  ]
  // A start that made it may have failed before this, because its port was taken.
  if (adminToken.firstPrinted)
    lines.push('', `admin token (shown once, kept in ${adminToken.file}):`, `  ${adminToken.token}`)
  else if (adminToken.file !== null) lines.push('', `the admin token is kept in ${adminToken.file}`)
  for (const note of facts.notes) lines.push('', ...note)
  if (made.key) {
    lines.push(
      '',
      `test key with ${made.key.credits} credits (shown once):`,
      `  ${made.key.key}`,
      '',
      ...(facts.sellsHash
        ? [
            'buy a call with it:',
            `  curl -i ${url}/v1/paid/hash -H 'X-Api-Key: ${made.key.key}' -H 'Content-Type: application/json' -d '{"input":"hello"}'`,
          ]
        : [`what it buys: ${url}/v1/prices`]),
      ...(facts.sellsTools
        ? [
            '',
            'let an agent buy with it:',
            `  claude mcp add --transport http coinop ${url}/mcp --header 'X-Api-Key: ${made.key.key}'`,
            'or, in the settings of another MCP host:',
            `  ${JSON.stringify({ mcpServers: { coinop: hostOf(url, made.key.key) } })}`,
          ]
        : []),
      '',
      'see the whole story, payments on a local chain included:',
      '  npx coinop demo',
    )
  } else if (facts.sandbox) {
    lines.push('', 'the test key was shown at the first start; make another one with:')
    lines.push('  npx coinop key create me --credits 1000')
  }
  lines.push('')
  return lines
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** How MCP hosts name a server over HTTP in their settings; many hosts refuse dots in tool names. */
function hostOf(url: string, key: string): object {
  return { type: 'http', url: `${url}/mcp?names=underscore`, headers: { 'X-Api-Key': key } }
}
