/** `coinop ledger list`: rows of the ledger, newest first. */
import {
  EXIT,
  isAccountId,
  isEntryKind,
  isLedgerId,
  ledgerRowToJson,
  type PluginCommand,
  type PluginCommandContext,
  type RowFilter,
} from '#kernel'
import { alsoRemote } from '../../shared/commands/remote.ts'

type Row = ReturnType<typeof ledgerRowToJson>

const ROWS = { fallback: 50, max: 500 }

/** The account and the kind that the options name; a text says which of them cannot be used. */
export function narrowedIn({
  account,
  kind,
}: PluginCommandContext['options']): Pick<RowFilter, 'accountId' | 'kind'> | string {
  const filter: Pick<RowFilter, 'accountId' | 'kind'> = {}
  if (typeof account === 'string') {
    if (!isAccountId(account)) return '--account must be the id of an account'
    filter.accountId = account
  }
  if (typeof kind === 'string') {
    if (!isEntryKind(kind)) return '--kind must be a kind of ledger row, such as capture'
    filter.kind = kind
  }
  return filter
}

/** The rows that the options ask for; a text says which option cannot be used. */
function filterIn({ options }: PluginCommandContext): RowFilter | string {
  const { key, before, limit } = options
  const requestId = options['request-id']
  const narrowed = narrowedIn(options)
  if (typeof narrowed === 'string') return narrowed
  const filter: RowFilter = {
    ...narrowed,
    limit: limit === undefined ? ROWS.fallback : Number(limit),
  }
  if (!Number.isInteger(filter.limit) || filter.limit < 1 || filter.limit > ROWS.max)
    return `--limit must be 1 to ${ROWS.max}`
  if (typeof key === 'string') filter.keyId = key
  if (typeof requestId === 'string') filter.requestId = requestId
  if (typeof before === 'string') {
    if (!isLedgerId(before)) return '--before must be the id of a ledger row'
    filter.before = before
  }
  return filter
}

/** All of each row for a program, the columns that fit a terminal for people. */
function print({ printRows }: PluginCommandContext, rows: readonly Row[]): number {
  if (!process.stdout.isTTY) printRows(rows)
  else
    printRows(
      rows.map(({ id, at, kind, skill, amountCredits, apiKeyId, requestId }) => ({
        id,
        at,
        kind,
        skill,
        amountCredits,
        apiKeyId,
        requestId,
      })),
    )
  return EXIT.ok
}

const here: PluginCommand = {
  name: 'ledger list',
  usage:
    'ledger list [--key ID] [--account ID] [--request-id R] [--kind K] [--before ROW] [--limit N]',
  summary: 'rows of the ledger, newest first',
  options: {
    key: { type: 'string' },
    account: { type: 'string' },
    'request-id': { type: 'string' },
    kind: { type: 'string' },
    before: { type: 'string' },
    limit: { type: 'string' },
  },
  async run(context) {
    const filter = filterIn(context)
    if (typeof filter === 'string') return context.usage(filter)
    const rows = await context.onBooks(({ ledger }) => ledger.rows(filter), 'read')
    return print(context, rows.map(ledgerRowToJson))
  },
}

export const ledgerList = alsoRemote(here, async (context, remote) => {
  const filter = filterIn(context)
  if (typeof filter === 'string') return context.usage(filter)
  const { keyId, limit, ...others } = filter
  const query = new URLSearchParams({
    limit: String(limit),
    ...(keyId !== undefined && { apiKeyId: keyId }),
    ...(others as Record<string, string>),
  })
  const { rows } = await remote.ask<{ rows: Row[] }>('GET', `/v1/ledger?${query.toString()}`)
  return print(context, rows)
})
