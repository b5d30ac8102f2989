/** `coinop logs tail`: answered requests as they come, of a gateway here or anywhere. */
import { EXIT, firstIdAt, timeOfId, type PluginCommand, type PluginCommandContext } from '#kernel'
import {
  CommandFailure,
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
/** Instances write their rows down once a second: one may come after rows that are younger. */
const LATE_MS = 10_000

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
  const tell = (row: Row): void => say(process.stdout.isTTY ? lineOf(row) : JSON.stringify(row))
  // Of all requests: a filter may find nothing for long, and the next look is not to begin at the oldest.
  let newest = await newestOf(remote)
  const first = (await pageOf(remote, query, { limit: FIRST_ROWS })).requests
  first.toReversed().forEach(tell)
  if (options['once']) return EXIT.ok
  const told = new Set(first.map(({ id }) => id))
  const oldest = first.length === FIRST_ROWS ? first.at(-1)!.id : ''
  for (;;) {
    const after = laterOf(oldest, lateBefore(newest))
    for (const id of told) if (id <= after) told.delete(id)
    await Bun.sleep(POLL_MS)
    newest = await following(context, () => newestOf(remote))
    const rows = await following(context, () => rowsAfter(remote, query, after))
    for (const row of rows.toReversed()) if (!told.has(row.id)) tell(row)
    for (const { id } of rows) told.add(id)
  }
}

/** What `ask` gets, however long that takes: a gateway that is started anew is not the end. */
async function following<T>(
  { warn }: Pick<PluginCommandContext, 'warn'>,
  ask: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof CommandFailure) || !error.mayPass) throw error
      if (tries === 0) warn(`${error.message}; waiting for it`)
      await Bun.sleep(POLL_MS)
    }
  }
}

async function newestOf(remote: Remote): Promise<string> {
  const { requests } = await pageOf(remote, new URLSearchParams(), { limit: 1 })
  return requests[0]?.id ?? ''
}

/** Below this id every instance has written its rows down; '' where there are none. */
function lateBefore(newest: string): string {
  const at = timeOfId(newest)
  return at === null ? '' : firstIdAt(new Date(at.getTime() - LATE_MS))
}

const laterOf = (one: string, other: string): string => (one > other ? one : other)

/** All that came after that row, newest first: more than a page in a busy second. */
async function rowsAfter(remote: Remote, query: URLSearchParams, after: string): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | null = null
  do {
    const page = await pageOf(remote, query, { limit: PAGE_ROWS, after: after || null, cursor })
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
