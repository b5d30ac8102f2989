/**
 * The storage of the simulated gateways: the ledger's model, which test/property/ledger.test.ts shows
 * to give the results of the real statements, and the rows of idempotency keys and of vouchers. A
 * step here is one statement or one transaction of the real thing: it happens whole or not at all.
 */
import type {
  AuthorizeResult,
  Hold,
  Ledger,
  TransitionResult,
} from '../../kernel/ledger/contract.ts'
import type { PluginDb, PluginTx } from '../../kernel/storage/contract.ts'
import { untilReached } from '../../kernel/work/retry.ts'
import type { Settlements } from '../../kernel/plugins/money-services.ts'
import { LedgerModel, type ModelHold, type Predicted } from '../property/ledger-model.ts'
import type { Owner, World } from './world.ts'

export interface IdempotencyRow {
  fingerprint: string
  rail: string
  hold_id: string
  deadline: Date
  expires_at: Date
  settled: boolean
  status: number | null
  headers: Record<string, string> | null
  body: Uint8Array | null
  charged: bigint | null
  ledger_id: string | null
}
export interface VoucherRow {
  id: string
  voucher: string
  state: string
  fingerprint: string
  request_id: string
  lease_until: Date
  ledgerId: string | null
  status: number | null
  headers: string | null
  body: string | null
}
interface Tables {
  ledger: LedgerModel
  idempotency: Map<string, IdempotencyRow>
  vouchers: VoucherRow[]
  /** What vouchers paid: ids of requests, by reference. */
  settlements: Map<string, string>
}

const copyOf = (tables: Tables): Tables => ({
  ledger: tables.ledger.clone(),
  idempotency: new Map([...tables.idempotency].map(([key, row]) => [key, { ...row }])),
  vouchers: tables.vouchers.map((row) => ({ ...row })),
  settlements: new Map(tables.settlements),
})

/** What the end of a statement writes down: everything so far, nothing yet, or nothing at all. */
type Commit = 'durable' | 'provisional' | 'none'

const commitOf = (text: string): Commit =>
  text.trimStart().startsWith('SELECT') ? 'none' : 'durable'

export class MemoryStore {
  tables: Tables
  readonly #world: World
  /**
   * How long it says that something is written before it is: 0 for a storage that keeps its word.
   * Only the planted bug 'missing fsync' has another number.
   */
  readonly #unsafeMs: number
  #durable: { atMs: number; tables: Tables } | null = null
  /** What was there before the provisional holds that no later commit has written down yet. */
  #beforeProvisional: Tables | null = null

  constructor(world: World, unsafeMs = 0) {
    this.#world = world
    this.#unsafeMs = unsafeMs
    this.tables = {
      ledger: new LedgerModel(),
      idempotency: new Map(),
      vouchers: [],
      settlements: new Map(),
    }
  }

  /** The power goes: what was only said to be written is gone, and so are provisional holds. */
  loseWhatIsNotDurable(): void {
    if (this.#beforeProvisional) this.tables = this.#beforeProvisional
    this.#beforeProvisional = null
    if (this.#unsafeMs > 0 && this.#durable) this.tables = copyOf(this.#durable.tables)
  }

  #run<T>(effect: (tables: Tables) => T, commit: Commit = 'durable'): T {
    if (commit === 'provisional') this.#beforeProvisional ??= copyOf(this.tables)
    if (commit === 'durable') this.#beforeProvisional = null
    const atMs = this.#world.time.nowMs()
    if (this.#unsafeMs > 0 && atMs - (this.#durable?.atMs ?? -Infinity) >= this.#unsafeMs) {
      this.#durable = { atMs, tables: copyOf(this.tables) }
    }
    this.tables.ledger.nowMs = atMs
    return effect(this.tables)
  }
  #step<T>(owner: Owner, name: string, effect: (tables: Tables) => T, commit?: Commit): Promise<T> {
    return this.#world.step(owner, 'storage', name, () => this.#run(effect, commit))
  }

  /** The ledger as one gateway reaches it, with the real one's retries. */
  ledgerOf(owner: Owner): Ledger {
    const write = <T>(
      name: string,
      effect: (model: LedgerModel) => T,
      commit?: Commit,
    ): Promise<T> =>
      untilReached(() => this.#step(owner, name, ({ ledger }) => effect(ledger), commit))
    const read = <T>(name: string, effect: (model: LedgerModel) => T): Promise<T> =>
      this.#step(owner, name, ({ ledger }) => effect(ledger), 'none')
    const transition = (model: LedgerModel, seen: Predicted): TransitionResult => {
      const hold = seen.holdId === undefined ? null : holdOf(model.holds.get(seen.holdId)!)
      if (seen.outcome === 'done') {
        const { repeated, availableAtomic } = seen
        return {
          outcome: 'done',
          hold: hold!,
          repeated: repeated!,
          availableAtomic: availableAtomic!,
        }
      }
      return hold ? { outcome: 'conflict', hold } : { outcome: 'not_found' }
    }
    const ledger: Pick<
      Ledger,
      | 'authorize'
      | 'capture'
      | 'release'
      | 'refund'
      | 'hold'
      | 'balance'
      | 'expireDue'
      | 'isRefunded'
    > = {
      authorize: (order) =>
        write(
          `authorize ${order.holdId.slice(-4)}`,
          (model) => {
            const seen = model.authorize(order)
            if (seen.outcome !== 'authorized') return seen as unknown as AuthorizeResult
            const hold = holdOf(model.holds.get(seen.holdId!)!)
            const { repeated, availableAtomic } = seen
            return {
              outcome: 'authorized',
              hold,
              repeated: repeated!,
              availableAtomic: availableAtomic!,
            }
          },
          order.isProvisional ? 'provisional' : 'durable',
        ),
      capture: ({ holdId, amountAtomic, ...spender }) =>
        write(`capture ${holdId.slice(-4)}`, (model) =>
          transition(
            model,
            model.capture(holdId, spender, amountAtomic === undefined ? {} : { amountAtomic }),
          ),
        ),
      release: ({ holdId, ...spender }) =>
        write(`release ${holdId.slice(-4)}`, (model) =>
          transition(model, model.release(holdId, spender)),
        ),
      refund: ({ requestId, keyId, isUndone = false }) =>
        write('refund', (model) => transition(model, model.refund(requestId, keyId!, isUndone))),
      hold: (holdId) =>
        read(`hold ${holdId.slice(-4)}`, (model) => {
          const known = model.holds.get(holdId)
          return known ? holdOf(known) : null
        }),
      balance: (accountId) => read('balance', (model) => model.balance(accountId)),
      expireDue: () => write('expire', (model) => model.sweep()),
      isRefunded: async () => false,
    }
    return ledger as Ledger
  }

  /** The `sql` of metering/idempotency.ts, by its statements; any other is an error here. */
  idempotencySqlOf(owner: Owner): (texts: TemplateStringsArray, ...values: never[]) => unknown {
    const sql = (texts: TemplateStringsArray, ...values: never[]): Promise<unknown> => {
      const text = texts.join('?').replaceAll(/\s+/g, ' ').trim()
      const name = text.split(' ').slice(0, 4).join(' ')
      return this.#step(
        owner,
        `idempotency: ${name}`,
        ({ idempotency }) => this.#idempotency(idempotency, text, values),
        commitOf(text),
      )
    }
    return Object.assign(sql, { json: (value: unknown) => value })
  }

  #idempotency(rows: Tables['idempotency'], text: string, values: never[]): unknown {
    const at = (scope: string, key: string) => `${scope}\n${key}`
    if (text.startsWith('INSERT INTO idempotency')) {
      const [scope, key, fingerprint, rail, hold_id, runsForMs, hours] = values as unknown as [
        string, string, string, string, string, number, number,
      ] // prettier-ignore
      const known = rows.get(at(scope, key))
      const nowMs = this.#world.time.nowMs()
      if (known && known.expires_at.getTime() > nowMs) return []
      const deadline = new Date(nowMs + runsForMs)
      const expires_at = new Date(nowMs + hours * 3_600_000)
      const empty = { status: null, headers: null, body: null, charged: null, ledger_id: null }
      const row = { fingerprint, rail, hold_id, deadline, expires_at, settled: false, ...empty }
      rows.set(at(scope, key), row)
      return [{}]
    }
    const [scope, key, holdId] = values.slice(-3) as unknown as [string, string, string]
    if (text.startsWith('SELECT fingerprint')) {
      const [scope, key] = values as unknown as [string, string]
      const row = rows.get(at(scope, key))
      return row ? [this.#shown(row)] : []
    }
    const row = rows.get(at(scope, key))
    const isMine = row?.hold_id === holdId
    if (text.startsWith('DELETE FROM idempotency WHERE scope')) {
      if (isMine) rows.delete(at(scope, key))
      return []
    }
    if (text.startsWith('UPDATE idempotency SET status = ?, headers = NULL')) {
      const [status] = values as unknown as [number]
      if (isMine && !row.settled) Object.assign(row, { status, headers: null, body: null })
      return []
    }
    if (text.startsWith('UPDATE idempotency SET settled = true WHERE')) {
      const [scope, key, holdId, withdrawn] = values as unknown as [string, string, string, number]
      const row = rows.get(at(scope, key))
      if (row?.hold_id !== holdId || row.status === null || row.status === withdrawn) return []
      row.settled = true
      return [this.#shown(row)]
    }
    if (text.startsWith('UPDATE idempotency SET status')) {
      const [status, headers, body] = values as unknown as [
        number,
        Record<string, string>,
        Uint8Array,
      ]
      if (isMine) Object.assign(row, { status, headers, body })
      return []
    }
    if (text.startsWith('UPDATE idempotency SET settled')) {
      const [charged, ledger_id] = values as unknown as [bigint, string | null]
      if (isMine) Object.assign(row, { settled: true, charged, ledger_id })
      return []
    }
    throw new Error(`the simulator does not know: ${text}`)
  }

  #shown(row: IdempotencyRow): object {
    return { ...row, is_running: row.deadline.getTime() > this.#world.time.nowMs() }
  }

  /** The tables of the sample rail as one gateway reaches them. */
  voucherDbOf(owner: Owner): PluginDb {
    const run = (tables: Tables, text: string, given: readonly unknown[]) =>
      this.#vouchers(tables, text.replaceAll(/\s+/g, ' ').trim(), given)
    const nameOf = (text: string): string => text.trim().split(/\s+/).slice(0, 3).join(' ')
    return {
      query: <R extends object>(text: string, given: readonly unknown[] = []) =>
        this.#step(
          owner,
          `vouchers: ${nameOf(text)}`,
          (tables) => run(tables, text, given) as R[],
          commitOf(text),
        ),
      transaction: <R>(work: (tx: PluginTx) => Promise<R>) =>
        this.#world.step(owner, 'storage', 'vouchers: transaction', async () => {
          const before = this.#run(copyOf)
          try {
            return await work({
              query: async <S extends object>(text: string, given: readonly unknown[] = []) =>
                run(this.tables, text, given) as S[],
            })
          } catch (error) {
            this.tables = before
            throw error
          }
        }),
    }
  }

  /** Settlements as the sample rail records them, inside its transaction. */
  readonly settlements: Pick<Settlements, 'record' | 'isRefunded'> = {
    record: async (_railId, { reference, requestId }) => {
      const duplicate = this.tables.settlements.has(reference)
      if (!duplicate) this.tables.settlements.set(reference, requestId)
      return { ledgerId: `entry-${reference}`, duplicate }
    },
    isRefunded: async () => false,
  }

  #vouchers({ vouchers }: Tables, text: string, given: readonly unknown[]): object[] {
    const nowMs = this.#world.time.nowMs()
    const end = (row: VoucherRow) => (row.state = row.ledgerId === null ? 'released' : 'owed')
    const byId = vouchers.find(({ id }) => id === given[0])
    if (text.startsWith('INSERT INTO claim')) {
      const [id, voucher, fingerprint, request_id] = given as string[]
      if (vouchers.some((row) => row.voucher === voucher && row.state !== 'released')) return []
      const lease_until = given[10] as Date
      const empty = { ledgerId: null, status: null, headers: null, body: null }
      const row = { id: id!, voucher: voucher!, state: 'claimed', fingerprint: fingerprint!,
        request_id: request_id!, lease_until, ...empty } // prettier-ignore
      vouchers.push(row)
      return [{ ...row }]
    }
    if (text.startsWith("UPDATE claim SET id = $1, state = 'claimed'")) return []
    if (/^SELECT .* FROM claim WHERE voucher = \$1 AND state <> 'released'$/.test(text)) {
      return vouchers
        .filter((row) => row.voucher === given[0] && row.state !== 'released')
        .map((row) => ({ ...row }))
    }
    if (/^SELECT .* FROM claim WHERE id = \$1$/.test(text)) return byId ? [{ ...byId }] : []
    if (text.endsWith('AND lease_until <= now()')) {
      for (const row of vouchers) {
        const isOpen = row.state === 'claimed' || row.state === 'streaming'
        if (isOpen && row.lease_until.getTime() <= nowMs) end(row)
      }
      return []
    }
    if (text.startsWith('UPDATE claim SET state = $2')) {
      if (byId?.state !== 'claimed') return []
      const [, state, lease_until, status, headers, body] = given
      Object.assign(byId, { state, lease_until, status, headers, body })
      return [{ paid: byId.ledgerId }]
    }
    if (text.startsWith('UPDATE claim SET ledger_id')) {
      byId!.ledgerId = given[1] as string
      return []
    }
    if (text.endsWith("WHERE id = $1 AND state = 'claimed'")) {
      if (byId?.state === 'claimed') end(byId)
      return []
    }
    throw new Error(`the simulator does not know: ${text}`)
  }
}

function holdOf({
  order,
  amount,
  state,
  captured,
  units,
  freeBucket,
  madeAtMs,
  claim,
}: ModelHold): Hold {
  const { holdId, accountId, keyId, requestId, skillId, productId, path, ttlMs } = order
  return {
    id: holdId,
    accountId,
    keyId,
    requestId,
    claim,
    skillId,
    productId,
    path,
    amountAtomic: amount,
    capturedAtomic: captured,
    state,
    priceVersion: order.priceVersion ?? null,
    acquisition: order.acquisition ?? null,
    freeBucket,
    units,
    createdAt: new Date(madeAtMs),
    expiresAt: new Date(madeAtMs + ttlMs),
    ledgerId: `entry-${holdId}`,
  }
}
