import { expect, it } from 'vitest'
import { firstIdAt } from '../../../kernel/ids.ts'
import type { LedgerRow, RowFilter } from '../../../kernel/ledger/contract.ts'
import { EXIT, type PluginCommandContext } from '../../../kernel/plugins/command.ts'
import { ledgerExport } from '../../../plugins/admin/commands/ledger-export.ts'

const MINUTE_MS = 60_000
const START = Date.UTC(2026, 10, 1)
const END = Date.UTC(2026, 11, 1)

/** A posting with an id of `idMs`, made at `atMs`. */
const rowAt = (atMs: number, note: string, idMs = atMs): LedgerRow => ({
  id: firstIdAt(new Date(idMs)),
  at: new Date(atMs),
  kind: 'capture',
  accountId: null,
  keyId: null,
  legacyId: null,
  rail: 'credits',
  amountAtomic: 10_000n,
  debit: 'held',
  credit: 'revenue',
  transaction: null,
  note,
  requestId: null,
  skillId: null,
  path: null,
  priceVersion: null,
  acquisition: null,
})

/** The notes of the rows that an export of November has, over a ledger of `rows`, newest first. */
async function exported(rows: readonly LedgerRow[], options: Record<string, string>) {
  const said: string[] = []
  const asked: RowFilter[] = []
  const ledger = {
    async rows(filter: RowFilter) {
      asked.push(filter)
      return rows.filter(({ id }) => id < filter.before!).slice(0, filter.limit)
    },
  }
  const context = {
    options,
    say: (line: string) => void said.push(line),
    usage: () => EXIT.usage,
    onBooks: (work: (books: object) => Promise<unknown>) => work({ ledger }),
  } as unknown as PluginCommandContext
  const exit = await ledgerExport.run(context)
  return { exit, asked, notes: said.slice(1).map((line) => line.split(',').at(-2)) }
}

it('has every posting of the month and no other, over pages and whatever the time of its id', async () => {
  const many = Array.from({ length: 1200 }, (_, n) => rowAt(END - (n + 1) * MINUTE_MS, `n${n}`))
  const ledger = [
    rowAt(END + 30 * MINUTE_MS, 'after'),
    rowAt(END - 1, 'late id', END + MINUTE_MS),
    rowAt(END, 'at its end'),
    ...many,
    rowAt(START, 'at its start'),
    rowAt(START + 1, 'early id', START - MINUTE_MS),
    rowAt(START - 2 * MINUTE_MS, 'before'),
  ]
  const { exit, notes, asked } = await exported(ledger, { month: '2026-11' })
  const inside = many.map(({ note }) => note)
  expect(notes).toEqual(['late id', ...inside, 'at its start', 'early id'])
  expect([exit, asked.length]).toEqual([EXIT.ok, 3])
})

it('refuses what is no month, account or kind', async () => {
  for (const options of [
    {},
    { month: '2026-13' },
    { month: '2026-11', account: 'x' },
    { month: '2026-11', kind: 'x' },
  ])
    expect((await exported([], options as Record<string, string>)).exit).toBe(EXIT.usage)
})
