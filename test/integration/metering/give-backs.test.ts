/** Orders to give charges back that outlive their process, on a real disk and over the real ledger. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openGiveBackJournal } from '../../../host/give-back-journal/index.ts'
import { firstIdAt, newId } from '../../../kernel/ids.ts'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import type { Logger } from '../../../kernel/log/logger.ts'
import { GiveBackOrders } from '../../../kernel/metering/give-backs.ts'
import type { GiveBackOrder } from '../../../kernel/metering/give-back-contract.ts'
import { IdempotencyStore } from '../../../kernel/metering/idempotency.ts'
import { creditsRail } from '../../../kernel/rails/credits/rail.ts'
import { RailRegistry } from '../../../kernel/rails/registry.ts'
import { openKey, ownAccount } from '../../support/accounts.ts'
import { testDatabase } from '../../support/database.ts'
import { silentLog } from '../../support/log.ts'
import { PATIENT } from '../../support/patience.ts'

const database = await testDatabase()
afterAll(() => database.close())

let parent: string
let folder: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'coinop-give-backs-'))
  folder = join(parent, 'data', 'give-backs')
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

const order = (changes: Partial<GiveBackOrder> = {}): GiveBackOrder => ({
  railId: 'credits',
  holdId: newId(),
  requestId: newId(),
  key: null,
  ...changes,
})
const leftOf = async () => (await openGiveBackJournal(folder).left()).map((kept) => kept.order)

describe('the journal of give-backs', () => {
  it('shows what was kept to whoever opens the folder next, until it is forgotten', async () => {
    expect(await leftOf()).toEqual([])
    const journal = openGiveBackJournal(folder)
    const one = order({ key: { scope: 'key:k t.run', key: 'a' } })
    const kept = await journal.keep(one)
    // This process gives its own back by itself.
    expect(await journal.left()).toEqual([])
    expect(await leftOf()).toEqual([one])
    await kept.forget()
    expect(await leftOf()).toEqual([])
    expect(readdirSync(folder)).toEqual([])
  })

  it('writes what comes at once into few files, each of which goes with its last order', async () => {
    const journal = openGiveBackJournal(folder)
    const orders = Array.from({ length: 200 }, () => order())
    const kept = await Promise.all(orders.map((one) => journal.keep(one)))
    expect(readdirSync(folder).length).toBeLessThanOrEqual(2)
    expect(new Set((await leftOf()).map(({ holdId }) => holdId)).size).toBe(200)
    for (const one of kept.slice(1)) await one.forget()
    await kept[1]!.forget()
    expect((await leftOf()).map(({ holdId }) => holdId)).toContain(orders[0]!.holdId)
    await kept[0]!.forget()
    expect(readdirSync(folder)).toEqual([])
  })

  it('says so where it cannot write, and can once the folder is there again', async () => {
    writeFileSync(join(parent, 'data'), 'no folder')
    const journal = openGiveBackJournal(folder)
    await expect(journal.keep(order())).rejects.toThrow()
    rmSync(join(parent, 'data'))
    await journal.keep(order())
    expect(await leftOf()).toHaveLength(1)
  })

  it('leaves nothing of a file that did not fit on the disk', async () => {
    const module = join(import.meta.dirname, '../../../host/give-back-journal/index.ts')
    const script = `
      const { openGiveBackJournal } = await import(${JSON.stringify(module)})
      const keeping = openGiveBackJournal(${JSON.stringify(folder)}).keep({})
      process.stdout.write(await keeping.then(() => 'kept', () => 'not kept'))`
    // No file may grow, as on a full disk.
    const shell = `trap '' XFSZ; ulimit -f 0; exec "$0" -e "$1"`
    const child = Bun.spawn(['sh', '-c', shell, process.execPath, script], { stdout: 'pipe' })
    expect(await new Response(child.stdout).text()).toBe('not kept')
    expect(readdirSync(folder)).toEqual([])
  })

  it('gives the orders of other files where one is damaged, and then says so', async () => {
    await openGiveBackJournal(folder).keep(order())
    writeFileSync(join(folder, `${newId()}.json`), '[{')
    const journal = openGiveBackJournal(folder)
    const kept = await journal.left()
    expect(kept).toHaveLength(1)
    await kept[0]!.forget()
    await expect(journal.left()).rejects.toThrow()
  })

  it('never reads the half of a file whose writer died', async () => {
    const journal = openGiveBackJournal(folder)
    await journal.keep(order())
    const [name] = readdirSync(folder)
    const half = readFileSync(join(folder, name!), 'utf8').slice(0, 20)
    writeFileSync(join(folder, `${newId()}.json.new`), half)
    expect(await leftOf()).toHaveLength(1)
  })
})

describe('a charge that its dead gateway was to give back', () => {
  /** A gateway's part over this folder and the test's ledger. */
  function gateway(log: Logger = silentLog) {
    const ledger = createLedger(database.db)
    const rails = new RailRegistry()
    rails.add(creditsRail({ ledger, holdTtlMs: 900_000 }))
    const idempotency = new IdempotencyStore(database.db.sql, rails)
    const journal = openGiveBackJournal(folder)
    const giveBacks = new GiveBackOrders({ journal, rails, idempotency, log })
    return { ledger, idempotency, giveBacks }
  }
  /** A charge of one credit, and what a gateway leaves of it that dies before it gave it back. */
  async function charged(key: GiveBackOrder['key'] = null) {
    const { ledger, giveBacks, idempotency } = gateway()
    const keyId = newId()
    const spender = { accountId: ownAccount(keyId), keyId }
    await openKey(database.db.sql, keyId)
    const grant = { kind: 'grant', source: 'sandbox', amountAtomic: 50_000n } as const
    await ledger.credit({ ...grant, accountId: spender.accountId, reference: keyId })
    const one = order({ key })
    const { holdId, requestId } = one
    const claim = key && { ...key, holdId }
    if (claim) {
      const terms = { fingerprint: 'f', railId: 'credits', runsForMs: 60_000 }
      await idempotency.claim({ ...claim, ...terms })
      const body = new TextEncoder().encode('{}')
      await idempotency.prepare(claim, { status: 200, headers: {}, body })
    }
    const call = { skillId: 't.run', productId: 't', path: '/t', amountAtomic: 10_000n }
    const scope = 'call' as const
    await ledger.authorize({ ...spender, ...call, holdId, requestId, ttlMs: 900_000, scope })
    expect((await ledger.capture({ ...spender, holdId })).outcome).toBe('done')
    const { isKept } = await giveBacks.start(one, () => new Promise<boolean>(() => {}))
    expect(isKept).toBe(true)
    const availableAtomic = async () => (await ledger.balance(spender.accountId))!.availableAtomic
    expect(await availableAtomic()).toBe(40_000n)
    return { ledger, holdId, claim, availableAtomic }
  }

  it('is being given back before the disk has answered, so that a retry is told to wait', async () => {
    const { idempotency } = gateway()
    const rails = new RailRegistry()
    rails.add(creditsRail({ ledger: createLedger(database.db), holdTtlMs: 900_000 }))
    const disk = Promise.withResolvers<never>()
    const journal = { keep: () => disk.promise, left: async () => [] }
    const giveBacks = new GiveBackOrders({ journal, rails, idempotency, log: silentLog })
    let isBegun = false
    const starting = giveBacks.start(order(), async () => (isBegun = true))
    expect(isBegun).toBe(true)
    disk.reject(new Error('of the test'))
    const { isKept, done } = await starting
    expect([isKept, await done]).toEqual([false, true])
  })

  it('is forgotten also where the disk was too slow to promise it', async () => {
    const { idempotency } = gateway()
    const rails = new RailRegistry()
    rails.add(creditsRail({ ledger: createLedger(database.db), holdTtlMs: 900_000 }))
    const disk = Promise.withResolvers<void>()
    const one = order()
    const written = disk.promise.then(() => openGiveBackJournal(folder).keep(one))
    const journal = { keep: () => written, left: async () => [] }
    const giveBacks = new GiveBackOrders({ journal, rails, idempotency, log: silentLog })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const starting = giveBacks.start(one, async () => true)
      await vi.advanceTimersByTimeAsync(60_000)
      const { isKept, done } = await starting
      expect(isKept).toBe(false)
      disk.resolve()
      await Promise.all([done, written])
    } finally {
      vi.useRealTimers()
    }
    expect(await leftOf()).toEqual([])
  })

  it('is given back by the next one over its folder, once', async () => {
    const { ledger, holdId, availableAtomic } = await charged()
    // Two that start at once, as on one machine.
    const rounds = [gateway(), gateway()].map(({ giveBacks }) => giveBacks.follow())
    await vi.waitUntil(async () => (await leftOf()).length === 0, PATIENT)
    await Promise.all(rounds.map((round) => round.stop()))
    expect((await ledger.hold(holdId))!.state).toBe('refunded')
    expect(await availableAtomic()).toBe(50_000n)
  })

  it('frees its Idempotency-Key after that', async () => {
    const { holdId, claim, availableAtomic } = await charged({ scope: 'key:k t.run', key: newId() })
    const { giveBacks, idempotency } = gateway()
    const round = giveBacks.follow()
    await vi.waitUntil(async () => (await leftOf()).length === 0, PATIENT)
    await round.stop()
    expect(await availableAtomic()).toBe(50_000n)
    const terms = { fingerprint: 'f', railId: 'credits', runsForMs: 60_000 }
    const again = { ...claim!, holdId: newId(), ...terms }
    expect(again.holdId).not.toBe(holdId)
    expect(await idempotency.claim(again)).toEqual({ outcome: 'claimed' })
  })

  it('is kept for a day where another database knows its hold, and told once', async () => {
    const aDayAgo = firstIdAt(new Date(Date.now() - 24 * 3_600_000 - 60_000))
    const key = { scope: 'key:k t.run', key: newId() }
    const foreign = [order(), order({ key })]
    for (const one of [...foreign, order({ holdId: aDayAgo })])
      await openGiveBackJournal(folder).keep(one)
    const { holdId, ledger } = await charged()
    const warned: unknown[] = []
    const { giveBacks } = gateway({ ...silentLog, warn: (facts: unknown) => warned.push(facts) })
    const round = giveBacks.follow()
    await vi.waitUntil(async () => (await leftOf()).length === foreign.length, PATIENT)
    await round.stop()
    expect(new Set(await leftOf())).toEqual(new Set(foreign))
    expect((await ledger.hold(holdId))!.state).toBe('refunded')
    expect(warned).toHaveLength(1)
  })

  it('stands once a retry by its key has the answer', async () => {
    const key = { scope: 'key:k t.run', key: newId() }
    const { claim, ledger, holdId, availableAtomic } = await charged(key)
    const { giveBacks, idempotency } = gateway()
    const terms = { fingerprint: 'f', railId: 'credits', runsForMs: 60_000 }
    const again = { ...claim!, holdId: newId(), ...terms }
    expect(await idempotency.claim(again)).toMatchObject({ outcome: 'replay' })
    const round = giveBacks.follow()
    await vi.waitUntil(async () => (await leftOf()).length === 0, PATIENT)
    await round.stop()
    expect((await ledger.hold(holdId))!.state).toBe('captured')
    expect(await availableAtomic()).toBe(40_000n)
  })
})
