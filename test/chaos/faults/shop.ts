/**
 * Callers who buy from real gateways while something happens to them, and the audit afterwards: each
 * call has its own Idempotency-Key and is sent until it has an answer, so every answer of 200 must be
 * one charge, and nothing else may be charged.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../../../kernel/ids.ts'
import { verifyLedger } from '../../../host/reporting/verify.ts'
import { connectDatabase } from '../../../host/database/connect.ts'
import { seeded } from '../../support/docintel-fixtures/random.ts'
import { startGateway, type GatewayProcess } from '../../support/gateway.ts'
import { leftovers } from '../../support/leftovers.ts'
import { silentLog } from '../../support/log.ts'
import { ENV, keysOfOneAccount, send, type Call, type Order } from '../gateways.ts'
import { patiently } from '../patiently.ts'
import { hurry } from './hurry.ts'
import { watchDescendants } from './processes.ts'
import type { Size } from './sizes.ts'

export interface FaultOptions {
  /** Environment of each gateway over that of the chaos run. */
  env: Record<string, string>
  /** Only what the gateway that makes the keys has; default `env`. */
  gateways?: number
  dataDir?: string
  seed: number
  size: Size
  /** What is bought beside hashes: every fourth call is one of them. */
  orders?: readonly Order[]
  /** Runs while callers buy. */
  disturb(shop: Shop): Promise<void>
  /** Callers of other kinds, beside those who buy from prepaid credits. */
  others?: readonly OtherCallers[]
  /** Where the ledger is afterwards; default: DATABASE_URL of `env`. */
  auditUrl?(gateways: readonly GatewayProcess[]): Promise<string>
}

/** What a fault is done to. */
export interface Shop {
  gateways: readonly GatewayProcess[]
  /** SIGKILL to one of them; resolves when another runs in its place. */
  replace(at: number): Promise<void>
}

/** What came of other callers' calls. */
export interface OtherReport {
  counts: Record<string, number>
  wrong: string[]
}

/**
 * They call until `stopping`, then learn what became of each call whose answer they have not;
 * `url` is where the ledger is.
 */
export type OtherCallers = (
  gateways: readonly GatewayProcess[],
  stopping: AbortSignal,
  url: string,
) => Promise<OtherReport>

export interface FaultReport {
  answered: number
  /** Answers while the fault lasted and after it. */
  duringAndAfter: number
  sentAgain: number
  unclear: number
  /** The longest time in which nobody had an answer. */
  longestPauseS: number
  wrong: string[]
  /** What else there is to tell, by its name. */
  counts?: Record<string, number>
}

/** A call is left for later after so many tries. */
const TRIES = 8

export async function shopThrough(options: FaultOptions): Promise<FaultReport> {
  const temporary = mkdtempSync(join(tmpdir(), 'coinop-shop-'))
  // The server of a gateway that root started is another user's.
  chmodSync(temporary, 0o1777)
  const env = { ...ENV, TMPDIR: temporary, ...options.env }
  const gateways: GatewayProcess[] = []
  const start = (): Promise<GatewayProcess> =>
    startGateway(env, options.dataDir ? { dataDir: options.dataDir, keepDataDir: true } : {})
  const watch = watchDescendants(() => gateways.map(({ pid }) => pid))
  let report: FaultReport | null = null
  try {
    // The first one migrates the database.
    gateways.push(await start())
    const others = Array.from({ length: (options.gateways ?? 2) - 1 }, start)
    for (const other of await Promise.allSettled(others)) {
      if (other.status === 'rejected') throw other.reason
      gateways.push(other.value)
    }
    const replace = async (at: number): Promise<void> => {
      const { dataDir } = gateways[at]!
      await gateways[at]!.kill()
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
      gateways[at] = await patiently(start)
    }
    report = await shop(options, env, { gateways, replace })
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.stop()))
    // Every process that was ever below a gateway, what names its temporary folder, and that folder.
    const left = [...(await watch.left()), ...(await leftovers(temporary))]
    rmSync(temporary, { recursive: true, force: true })
    report?.wrong.push(...new Set(left.map((line) => `left behind: ${line}`)))
  }
  return { ...report, counts: { ...report.counts, 'processes watched': watch.seen() } }
}

async function shop(
  options: FaultOptions,
  env: Record<string, string>,
  { gateways, replace }: Shop,
): Promise<FaultReport> {
  const { size } = options
  const counts = { answered: 0, refused: 0, sentAgain: 0 }
  const buyers = await keysOfOneAccount(gateways[0]!, {})
  const stop = new AbortController()
  const unclear: Call[] = []
  const calling = Promise.all(
    Array.from({ length: size.callers }, async (_, i) => {
      const own = seeded(options.seed * 31 + i)
      while (!stop.signal.aborted) {
        const call: Call = { buyer: own.pick(buyers), idempotencyKey: newId(), sent: 0 }
        if (options.orders && own.chance(0.25)) call.order = own.pick(options.orders)
        if (!(await send(call, own, gateways, counts, TRIES))) unclear.push(call)
        if (size.pauseMs > 0) await Bun.sleep(size.pauseMs)
      }
    }),
  )
  await patiently(async () => {
    if (counts.answered < size.callers) throw new Error('nothing is sold')
  })
  const auditUrl = async () => (await options.auditUrl?.(gateways)) ?? env['DATABASE_URL']!
  const others = Promise.all(
    (options.others ?? []).map(async (call) => call(gateways, stop.signal, await auditUrl())),
  )
  // One that fails is told when the fault is over.
  others.catch(() => {})
  const before = counts.answered
  const pauses = watchPauses(() => counts.answered)
  await options.disturb({ gateways, replace })
  const atEnd = counts.answered
  // It must sell again: not after so many seconds, but in the end.
  await patiently(async () => {
    if (counts.answered <= atEnd + size.callers) throw new Error('nothing is sold')
  })
  await Bun.sleep(size.afterMs)
  const longestPauseS = pauses.stop()
  stop.abort()
  await calling
  const random = seeded(options.seed)
  if (size.isHurried && unclear.length > 0) await hurry(await auditUrl())
  await Promise.all(unclear.map((call) => send(call, random, gateways, counts, Infinity)))
  const heard = await others
  const wrong = heard.flatMap((other) => other.wrong)
  for (const gateway of gateways) {
    const ready = await patiently(async () => {
      const answer = await gateway.call('GET', '/ready')
      if (answer.status !== 200) throw new Error(answer.text)
      return answer
    }).catch((error: unknown) => ({ status: String(error) }))
    if (ready.status !== 200) wrong.push(`not ready again: ${ready.status}`)
  }
  wrong.push(...(await audit(await auditUrl(), buyers)))
  return {
    answered: counts.answered,
    duringAndAfter: counts.answered - before,
    sentAgain: counts.sentAgain,
    unclear: unclear.length,
    longestPauseS,
    wrong,
    counts: Object.assign({}, ...heard.map((other) => other.counts)),
  }
}

/** Seconds of the longest time without an answer, with one decimal, from now until it is stopped. */
function watchPauses(answered: () => number): { stop(): number } {
  let [seen, sinceMs, longestMs] = [answered(), performance.now(), 0]
  const look = (): void => {
    const nowMs = performance.now()
    longestMs = Math.max(longestMs, nowMs - sinceMs)
    if (answered() === seen) return
    seen = answered()
    sinceMs = nowMs
  }
  const timer = setInterval(look, 50)
  return {
    stop() {
      clearInterval(timer)
      look()
      return Math.round(longestMs / 100) / 10
    },
  }
}

async function audit(
  url: string,
  buyers: readonly { id: string; paid: number }[],
): Promise<string[]> {
  const db = connectDatabase({ url, kind: 'server', log: silentLog })
  try {
    const { violations } = await patiently(() => verifyLedger(db.sql))
    const wrong = violations.map(
      ({ invariant, subject, message }) => `${invariant}: ${subject} ${message}`,
    )
    for (const { id, paid } of buyers) {
      const [row] = await db.sql<[{ charged: number; open: number }]>`
        SELECT count(*) FILTER (WHERE state = 'captured')::integer AS charged,
          count(*) FILTER (WHERE state = 'authorized' AND expires_at < now() - interval '1 minute')::integer AS open
        FROM coinop.hold WHERE key_id = ${id}`
      if (row.charged !== paid) wrong.push(`${id} paid ${row.charged} times for ${paid} answers`)
      if (row.open > 0) wrong.push(`${id} has ${row.open} holds that nobody expired`)
    }
    return wrong
  } finally {
    await db.close()
  }
}
