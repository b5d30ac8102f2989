/** `coinop logs tail`: answered requests as they come, of a gateway here or anywhere. */
import { EXIT, type PluginCommand, type PluginCommandContext } from '#kernel'
import {
  type Remote,
  remoteOf,
  REMOTE_OPTIONS,
  REMOTE_USAGE,
  telling,
} from '../../shared/commands/remote.ts'

const FILTERS = ['skill', 'key', 'address', 'code', 'status', 'request-id'] as const
const POLL_MS = 1000
const FIRST_ROWS = 20
const PAGE_ROWS = 200

interface Row {
  id: string
  at: string
  requestId: string
  method: string
  path: string
  status: number
  outcome: string | null
  code: string | null
  reason: string | null
  skill: string | null
  apiKeyName: string | null
  payer: string | null
  address: string
  ms: number
}

export const logsTail: PluginCommand = {
  name: 'logs tail',
  usage: `logs tail [--skill S] [--key K] [--address A] [--code C] [--status 4xx] [--request-id R] [--once] ${REMOTE_USAGE}`,
  summary: 'show requests as they are answered, refused ones included',
  options: {
    ...REMOTE_OPTIONS,
    ...Object.fromEntries(FILTERS.map((name) => [name, { type: 'string' as const }])),
    once: { type: 'boolean' },
  },
  run: (context) => telling(context, () => tail(context)),
}

async function tail(context: PluginCommandContext): Promise<number> {
  const { options, say } = context
  const remote = remoteOf(context)
  const query = new URLSearchParams()
  for (const name of FILTERS) {
    const value = options[name]
    if (typeof value === 'string') query.set(name === 'request-id' ? 'requestId' : name, value)
  }
  let rows = (await pageOf(remote, query, { limit: FIRST_ROWS })).requests
  let newest: string | null = null
  for (;;) {
    for (const row of rows.toReversed())
      say(process.stdout.isTTY ? lineOf(row) : JSON.stringify(row))
    newest = rows[0]?.id ?? newest
    if (options['once']) return EXIT.ok
    await Bun.sleep(POLL_MS)
    rows = await rowsAfter(remote, query, newest)
  }
}

/** All that came after that row, newest first: more than a page in a busy second. */
async function rowsAfter(
  remote: Remote,
  query: URLSearchParams,
  after: string | null,
): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | null = null
  do {
    const page = await pageOf(remote, query, { limit: PAGE_ROWS, after, cursor })
    rows.push(...page.requests)
    cursor = page.nextCursor
  } while (cursor !== null)
  return rows
}

function pageOf(
  remote: Remote,
  query: URLSearchParams,
  part: { limit: number; after?: string | null; cursor?: string | null },
): Promise<{ requests: Row[]; nextCursor: string | null }> {
  const whole = new URLSearchParams(query)
  for (const [name, value] of Object.entries(part))
    if (value !== null) whole.set(name, String(value))
  return remote.ask('GET', `/v1/admin/requests?${whole.toString()}`)
}

/** What callers wrote stands in it, so control characters do not reach the terminal. */
function lineOf(row: Row): string {
  const who = row.apiKeyName ?? row.payer ?? row.address
  const why = row.reason ?? row.code ?? row.outcome ?? ''
  const parts = [
    row.at.slice(11, 23),
    String(row.status),
    row.method.padEnd(4),
    (row.skill ?? row.path).padEnd(24),
    `${row.ms.toFixed(1)} ms`.padStart(10),
    why.padEnd(20),
    who,
    row.requestId,
  ]
  return parts.join('  ').replaceAll(/\p{Cc}/gu, '?')
}
