/**
 * One series of the chaos run: three instances as processes with pools of their own sell to the keys
 * of one account, while budgets, keys, money and the clock change and processes die. It goes by
 * ticks, so that a slow machine sees the same disturbances.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newId } from '../../kernel/ids.ts'
import { createLedger } from '../../kernel/ledger/ledger.ts'
import { verifyLedger } from '../../host/reporting/verify.ts'
import { connectDatabase } from '../../host/database/connect.ts'
import { openAccount } from '../support/spenders.ts'
import { seeded } from '../support/docintel-fixtures/random.ts'
import { silentLog } from '../support/log.ts'
import { installClock } from '../support/virtual-clock.ts'
import {
  auditAcks,
  auditFree,
  auditMoney,
  auditTiers,
  sampleCounters,
  sampleHolds,
} from './audit.ts'
import { runName, seedOf, type Ack } from './caller.ts'
import {
  changeBudget,
  cutConnection,
  holdsOf,
  moveClock,
  revoke,
  topUp,
  transfer,
  type Ground,
} from './disturbances.ts'
import { patiently } from './patiently.ts'
import type { Plan } from './plan.ts'

export interface SeriesOptions {
  /** A migrated database that is this series' own. */
  url: string
  /** Where the instances write down what they were told. */
  folder: string
  keys: number
  callers: number
  seed: number
  /** Asked before each tick with the number of ticks done. */
  goesOn(ticks: number): boolean
  /** Kills the server without warning; null: it is not ours. */
  killServer: (() => Promise<void>) | null
  /** Ticks between two deaths; default: as `EVERY`. */
  every?: Partial<typeof EVERY>
}

export interface SeriesReport {
  ticks: number
  answers: number
  captured: number
  revoked: number
  cutConnections: number
  killedInstances: number
  killedServers: number
  samples: number
  verified: number
  /** What was found wrong; empty is good. */
  wrong: string[]
}

const INSTANCES = 3
const VICTIMS = 20
const TICK_MS = 100
const SIGTERM_EXIT = 143
/** Ticks between two disturbances of a kind. */
export const EVERY = {
  budget: 2,
  cut: 3,
  money: 5,
  clock: 15,
  holds: 10,
  revocation: 20,
  verify: 60,
  instance: 45,
  server: 150,
}
/** The first hold of a virtual day was made at most so many moves of the clock ago. */
const MOVES_PER_DAY = 4
const GRANT_ATOMIC = 50_000n

interface Instance {
  process: Bun.Subprocess
  plan: Plan
  wasKilled: boolean
}

export async function runSeries(options: SeriesOptions): Promise<SeriesReport> {
  const { folder, keys, seed } = options
  const every = { ...EVERY, ...options.every }
  const random = seeded(seed)
  const clock = await installClock(options.url)
  await clock.set(new Date('2031-01-30T20:00:00Z'))
  const db = connectDatabase({ url: clock.url, kind: 'server', log: silentLog })
  const ledger = createLedger(db)
  const { sql } = db
  const caps = { call: 55n, day: 4000n, month: 60_000n }
  const [victim, ...spenders] = await openAccount(sql, ledger, {
    keys: keys + VICTIMS,
    amountAtomic: GRANT_ATOMIC,
    caps,
    lowMarkAtomic: 5000n,
  })
  const [other] = await openAccount(sql, ledger, { amountAtomic: GRANT_ATOMIC })
  const { accountId } = victim
  const victimIds = [victim, ...spenders.slice(0, VICTIMS - 1)].map(({ keyId }) => keyId)
  const keyIds = spenders.slice(VICTIMS - 1).map(({ keyId }) => keyId)
  const ground: Ground = { sql, ledger, clock, random, accountId, otherId: other.accountId, keyIds }

  const report: SeriesReport = {
    ticks: 0,
    answers: 0,
    captured: 0,
    revoked: 0,
    cutConnections: 0,
    killedInstances: 0,
    killedServers: 0,
    samples: 0,
    verified: 0,
    wrong: [],
  }
  const wrong = (found: readonly string[]) => void report.wrong.push(...found)
  let funded = 2n * GRANT_ATOMIC
  let started = 0
  const ackFiles: string[] = []

  function start(): Instance {
    const plan: Plan = {
      url: clock.url,
      accountId,
      keyIds,
      victimIds,
      callers: Math.ceil(options.callers / INSTANCES),
      seed: seedOf(seed, started),
      ackFile: join(folder, `acks-${runName()}-${started}`),
    }
    started += 1
    ackFiles.push(plan.ackFile)
    const script = join(import.meta.dirname, 'instance.ts')
    const child = Bun.spawn([process.execPath, script, JSON.stringify(plan)], {
      stdout: 'inherit',
      stderr: 'inherit',
    })
    return { process: child, plan, wasKilled: false }
  }

  async function verify(): Promise<void> {
    const { violations } = await patiently(() => verifyLedger(sql))
    wrong(
      violations.map(({ invariant, subject, message }) => `${invariant}: ${subject} ${message}`),
    )
    report.verified += 1
  }

  const instances = Array.from({ length: INSTANCES }, start)
  const dayStarts: string[] = [newId()]
  const revokedHolds = new Map<string, number>()
  const isDue = (period: number) => report.ticks % period === period - 1

  while (options.goesOn(report.ticks) && report.wrong.length === 0) {
    if (isDue(every.budget)) await changeBudget(ground)
    if (isDue(every.money)) {
      funded += await topUp(ground, BigInt(random.int(500, 3000)))
      await transfer(ground)
    }
    if (isDue(every.clock)) {
      await moveClock(ground)
      dayStarts.push(newId())
    }
    if (isDue(every.cut)) report.cutConnections += await cutConnection(ground)
    const next = victimIds[report.revoked]
    if (isDue(every.revocation) && next !== undefined) {
      revokedHolds.set(next, await revoke(ground, next))
      report.revoked += 1
    }
    if (isDue(every.instance)) {
      const at = random.int(0, INSTANCES - 1)
      const killed = instances[at]!
      killed.wasKilled = true
      killed.process.kill('SIGKILL')
      await killed.process.exited
      instances[at] = start()
      report.killedInstances += 1
    }
    if (options.killServer !== null && isDue(every.server)) {
      await options.killServer()
      report.killedServers += 1
    }
    wrong(await patiently(() => sampleCounters(sql)))
    if (isDue(every.holds)) {
      wrong(await patiently(() => sampleHolds(sql, dayStarts.at(-MOVES_PER_DAY) ?? dayStarts[0]!)))
    }
    report.samples += 1
    if (isDue(every.verify)) await verify()
    for (const { process: child } of instances) {
      if (child.exitCode !== null) wrong([`an instance ended by itself with ${child.exitCode}`])
    }
    report.ticks += 1
    await Bun.sleep(TICK_MS)
  }

  for (const { process: child } of instances) child.kill('SIGTERM')
  for (const { process: child } of instances) {
    const code = await child.exited
    // One that was asked to end before it listened for that had not begun.
    if (code !== 0 && code !== SIGTERM_EXIT) wrong([`an instance ended with ${code}`])
  }
  await verify()
  const acks = ackFiles.flatMap(readAcks)
  report.answers = acks.length
  report.captured = acks.filter(({ fact, repeated }) => fact === 'captured' && !repeated).length
  wrong(await auditAcks(sql, acks))
  wrong(await auditTiers(sql, 1n))
  wrong(await auditFree(sql))
  wrong(await auditMoney(sql, funded))
  for (const [keyId, count] of revokedHolds) {
    const now = await holdsOf(sql, keyId)
    if (now !== count) wrong([`revoked key ${keyId} had ${count} holds, and has ${now}`])
  }
  await clock.close()
  await db.close()
  return report
}

/** The answers of one instance; a line that its death cut short was never given to anybody. */
function readAcks(file: string): Ack[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    // Killed before it began.
    return []
  }
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Ack)
}
