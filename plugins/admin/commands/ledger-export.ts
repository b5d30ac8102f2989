/** `coinop ledger export`: the postings of a month as comma-separated values, for bookkeeping. */
import {
  EXIT,
  firstIdAt,
  ledgerRowToJson,
  type PluginCommand,
  type PluginCommandContext,
  type RowFilter,
} from '#kernel'
import { alsoRemote } from '../../shared/commands/remote.ts'
import { csvLine } from '../../shared/csv.ts'
import { narrowedIn } from './ledger.ts'

type Row = ReturnType<typeof ledgerRowToJson>

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/
const PAGE_ROWS = 500
/** Between a posting and its id, which a call may have before: as long as that may be. */
const SLACK_MS = 15 * 60_000
const COLUMNS = [
  'at',
  'kind',
  'amountCredits',
  'amountUsdcAtomic',
  'debit',
  'credit',
  'rail',
  'skill',
  'accountId',
  'apiKeyId',
  'requestId',
  'transaction',
  'note',
  'id',
] as const satisfies readonly (keyof Row)[]

type Page = Pick<RowFilter, 'accountId' | 'kind' | 'before' | 'limit'>

interface Wanted {
  from: Date
  until: Date
  filter: Pick<Page, 'accountId' | 'kind'>
}

/** What the options ask for; a text says which of them cannot be used. */
function wantedIn({ options }: PluginCommandContext): Wanted | string {
  const { month } = options
  const [, year, number] = typeof month === 'string' ? (MONTH.exec(month) ?? []) : []
  if (year === undefined) return '--month must be a month (UTC) such as 2026-11'
  const filter = narrowedIn(options)
  if (typeof filter === 'string') return filter
  return {
    from: new Date(Date.UTC(Number(year), Number(number) - 1)),
    until: new Date(Date.UTC(Number(year), Number(number))),
    filter,
  }
}

/** Says the rows as they are read, newest first: a month may be larger than the memory. */
async function sayAll(
  { say }: PluginCommandContext,
  { from, until, filter }: Wanted,
  read: (page: Page) => Promise<readonly Row[]>,
): Promise<number> {
  const oldest = firstIdAt(new Date(from.getTime() - SLACK_MS))
  let before = firstIdAt(new Date(until.getTime() + SLACK_MS))
  const line = (cells: Parameters<typeof csvLine>[0]): void => say(csvLine(cells).slice(0, -1))
  line(COLUMNS)
  for (;;) {
    const rows = await read({ ...filter, before, limit: PAGE_ROWS })
    for (const row of rows) {
      const at = new Date(row.at)
      if (at >= from && at < until) line(COLUMNS.map((name) => row[name]))
    }
    const last = rows.at(-1)
    if (rows.length < PAGE_ROWS || last === undefined || last.id < oldest) return EXIT.ok
    before = last.id
  }
}

const here: PluginCommand = {
  name: 'ledger export',
  usage: 'ledger export --month YYYY-MM [--account ID] [--kind K]',
  summary: 'the postings of a month (UTC) as CSV, newest first; archived ones are in their archive',
  options: {
    month: { type: 'string' },
    account: { type: 'string' },
    kind: { type: 'string' },
  },
  async run(context) {
    const wanted = wantedIn(context)
    if (typeof wanted === 'string') return context.usage(wanted)
    return context.onBooks(
      ({ ledger }) =>
        sayAll(context, wanted, async (filter) => (await ledger.rows(filter)).map(ledgerRowToJson)),
      'read',
    )
  },
}

export const ledgerExport = alsoRemote(here, async (context, remote) => {
  const wanted = wantedIn(context)
  if (typeof wanted === 'string') return context.usage(wanted)
  return sayAll(context, wanted, async ({ limit, ...page }) => {
    const query = new URLSearchParams({ ...page, limit: String(limit) })
    return (await remote.ask<{ rows: Row[] }>('GET', `/v1/ledger?${query.toString()}`)).rows
  })
})
