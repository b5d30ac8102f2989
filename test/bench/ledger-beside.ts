/**
 * The ledger beside that of another checkout of this project, on one server and in one process, in
 * short slices that take turns: pairs per second, p99, CPU, log and storage per authorize + capture.
 *
 *   bun test/bench/ledger-beside.ts --other ../older-checkout [--seconds 0.5] [--rounds 11]
 *
 * The other checkout needs its dependencies installed. It may be a version before accounts, whose
 * keys own their balance. Medians of the ratios of each round to the other's slice of that round; CPU,
 * log and storage are those of all slices together.
 */
import { pathToFileURL } from 'node:url'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { withDatabase } from '../../host/embedded-postgres/connection-text.ts'
import type { accounts } from '../../kernel/ledger/accounts.ts'
import type { Ledger, Spender } from '../../kernel/ledger/contract.ts'
import type { createLedger } from '../../kernel/ledger/ledger.ts'
import type { verifyLedger } from '../../host/reporting/verify.ts'
import type { createClient } from '../../host/database/client.ts'
import type { connectDatabase } from '../../host/database/connect.ts'
import type { Database } from '../../kernel/storage/contract.ts'
import type { migrateDatabase } from '../../kernel/storage/migrate.ts'
import { newId } from '../../kernel/ids.ts'
import { callOf, openAccount, setBudget, type Caps } from '../support/spenders.ts'
import { silentLog } from '../support/log.ts'
import { benchDatabase } from './lib/database.ts'
import { costMeter } from './lib/ledger-cost.ts'
import { runLoad } from './lib/load.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const { values } = parseArgs({
  options: {
    other: { type: 'string' },
    seconds: { type: 'string', default: '0.5' },
    rounds: { type: 'string', default: '11' },
  },
})
if (values.other === undefined) throw new Error('--other names the checkout to compare with')
const durationMs = Number(values.seconds) * 1000
const rounds = Number(values.rounds)
const CALLERS = 64
const OPENED_AT_ONCE = 10
const PLENTY_ATOMIC = 10n ** 14n
const BUDGETS: Partial<Caps> = { call: 10n ** 6n, day: PLENTY_ATOMIC, month: PLENTY_ATOMIC }

/** One checkout's ledger on a database of its own. */
interface Version {
  db: Database
  ledger: Ledger
  /** Funded spenders; a version before accounts gives each key its own balance. */
  open(accountCount: number, keys: number): Promise<Spender[]>
  verify(): Promise<void>
}

interface Slice {
  pairs: number
  perSecond: number
  p99Ms: number
  cpuUs: number
  walBytes: number
  storedBytes: number
}

const bench = await benchDatabase()
try {
  const [other, own] = [await openVersion(values.other), await openVersion('.')]
  console.log(`PostgreSQL ${bench.version}, ${CALLERS} callers, ${rounds} × ${values.seconds} s`)
  const rows: string[][] = []
  for (const [name, accountCount, keys] of [
    ['one hot key', 1, 1],
    ['64 keys, one account', 1, 64],
    ['1,000 accounts', 1000, 1],
  ] as const) {
    const before = await other.open(accountCount, name === 'one hot key' ? 1 : keys)
    const plain = await own.open(accountCount, keys)
    const capped = await own.open(accountCount, keys)
    const both = await own.open(accountCount, keys)
    for (const spender of [...capped, ...both]) await setBudget(own.db.sql, spender, '*', BUDGETS)
    for (const spender of both) await setBudget(own.db.sql, spender, 'demo', BUDGETS)
    const subjects: [string, Version, Spender[]][] = [
      ['other', other, before],
      ['no budget', own, plain],
      ['call, day, month', own, capped],
      ['and of a product', own, both],
    ]
    const slices = new Map(subjects.map(([subject]) => [subject, [] as Slice[]]))
    for (const [, version, spenders] of subjects) await slice(version, spenders)
    for (let round = 0; round < rounds; round++) {
      for (const [subject, version, spenders] of round % 2 ? subjects.toReversed() : subjects) {
        slices.get(subject)!.push(await slice(version, spenders))
      }
    }
    const base = slices.get('other')!
    for (const [subject, taken] of slices) {
      const ratio = (of: (one: Slice) => number) =>
        middle(taken.map((one, round) => of(one) / of(base[round]!))).toFixed(2)
      const perPair = (of: (one: Slice) => number): [string, string] => [
        meanOf(taken, of).toFixed(0),
        (meanOf(taken, of) / meanOf(base, of)).toFixed(2),
      ]
      rows.push([
        name,
        subject,
        formatNumber(middle(taken.map(({ perSecond }) => perSecond))),
        ratio(({ perSecond }) => perSecond),
        ratio(({ p99Ms }) => p99Ms),
        ...perPair(({ cpuUs }) => cpuUs),
        perPair(({ walBytes }) => walBytes)[1],
        ...perPair(({ storedBytes }) => storedBytes),
      ])
    }
  }
  const head = ['keys', 'subject', 'pairs/s', '×', '× p99', 'CPU µs', '×', '× log', 'stored B', '×']
  console.log(formatTable(head, rows))
  for (const version of [other, own]) {
    await version.verify()
    await version.db.close()
  }
} finally {
  await bench.close()
}

/** A cost per pair over all pairs of the slices. */
function meanOf(slices: readonly Slice[], of: (one: Slice) => number): number {
  const pairs = slices.reduce((sum, one) => sum + one.pairs, 0)
  return slices.reduce((sum, one) => sum + of(one) * one.pairs, 0) / pairs
}

/** The median of an odd number of values. */
function middle(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
}

async function openVersion(folder: string): Promise<Version> {
  const load = <T>(path: string): Promise<T> =>
    import(pathToFileURL(join(resolve(folder), 'kernel', path)).href) as Promise<T>
  // Versions before had these folders in their root, or these files in the kernel.
  const placeOf = (file: string, before: string): string =>
    [`host/${file}`, file]
      .find((path) => existsSync(join(resolve(folder), path)))
      ?.replace(/^/, '../') ?? before
  const connecting = placeOf('database/connect.ts', 'storage/connect.ts')
  const storage = await load<{ connectDatabase: typeof connectDatabase }>(connecting)
  const migrations = await load<{ migrateDatabase: typeof migrateDatabase }>('storage/migrate.ts')
  const ledgers = await load<{ createLedger: typeof createLedger }>('ledger/ledger.ts')
  const verifying = await load<{ verifyLedger: typeof verifyLedger }>(
    placeOf('reporting/verify.ts', 'ledger/verify.ts'),
  )
  const rowsOf = await load<{ accounts: typeof accounts }>('ledger/accounts.ts')
  const name = `bench_${newId().slice(-12)}`
  await bench.db.sql.unsafe(`CREATE DATABASE ${name}`)
  const url = withDatabase(bench.db.url, name)
  // A version before has the client in its kernel, and its migrations open one by themselves.
  const opening = placeOf('database/client.ts', '')
  const clients = opening === '' ? null : await load<{ createClient: typeof createClient }>(opening)
  if (clients) await migrations.migrateDatabase(url, clients.createClient)
  else await (migrations.migrateDatabase as (url: string) => Promise<unknown>)(url)
  const db = storage.connectDatabase({ url, kind: 'server', log: silentLog })
  const ledger = ledgers.createLedger(db)
  const hasAccounts = 'addKey' in rowsOf.accounts
  return {
    db,
    ledger,
    async open(accountCount, keys) {
      const spenders: Spender[] = []
      // A few at a time: a busy server would answer the last of all too late.
      for (let made = 0; made < accountCount; made += OPENED_AT_ONCE) {
        const count = Math.min(OPENED_AT_ONCE, accountCount - made)
        const opened = Array.from({ length: count }, () =>
          hasAccounts
            ? openAccount(db.sql, ledger, { keys, amountAtomic: PLENTY_ATOMIC })
            : openOlder(db, ledger, rowsOf.accounts),
        )
        spenders.push(...(await Promise.all(opened)).flat())
      }
      return spenders
    },
    async verify() {
      const { ok, violations } = await verifying.verifyLedger(db.sql)
      if (!ok) throw new Error(JSON.stringify(violations))
    },
  }
}

/** A key of a version before accounts. */
async function openOlder(db: Database, ledger: Ledger, older: typeof accounts): Promise<Spender[]> {
  const keyId = `key_${newId().slice(-12)}`
  const opened = { keyId, mode: 'test' as const, ceilingAtomic: null, accountId: keyId }
  await (older.open as unknown as (sql: unknown, key: typeof opened) => Promise<void>)(
    db.sql,
    opened,
  )
  const grant = { source: 'sandbox', reference: keyId, kind: 'grant' as const }
  await ledger.credit({ ...opened, amountAtomic: PLENTY_ATOMIC, ...grant })
  return [opened]
}

async function slice({ db, ledger }: Version, spenders: readonly Spender[]): Promise<Slice> {
  const operation = async () => {
    const { accountId, keyId } = spenders[Math.floor(Math.random() * spenders.length)]!
    // As the credits rail orders it; older versions do not know all of it.
    const order = callOf({ accountId, keyId }, 100n, { priceVersion: 1, isProvisional: true })
    const authorized = await ledger.authorize(order)
    if (authorized.outcome !== 'authorized') throw new Error(authorized.outcome)
    const { hold } = authorized
    const captured = await ledger.capture({ holdId: order.holdId, accountId, keyId, hold })
    if (captured.outcome !== 'done') throw new Error(captured.outcome)
  }
  const stored = async () => {
    const [row] = await db.sql<[{ bytes: bigint }]>`
      SELECT pg_total_relation_size('coinop.hold') + pg_total_relation_size('coinop.entry') AS bytes`
    return Number(row.bytes)
  }
  const before = await stored()
  const meter = await costMeter(db.sql)
  const load = await runLoad({ callers: CALLERS, durationMs, operation })
  const cost = await meter.per(load.operations)
  return {
    pairs: load.operations,
    perSecond: load.perSecond,
    p99Ms: load.p99Ms,
    cpuUs: cost.serverUs + cost.clientUs,
    walBytes: cost.walBytes,
    storedBytes: ((await stored()) - before) / load.operations,
  }
}
