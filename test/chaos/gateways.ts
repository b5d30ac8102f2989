/**
 * The last series of the chaos run: three real gateways on one database, called over HTTP, and killed
 * at any moment. Each call has an Idempotency-Key and is sent again, to whichever gateway is up, until
 * it has its answer: every answer of 200 must then be one charge, whatever died in between.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../../kernel/ids.ts'
import { verifyLedger } from '../../host/reporting/verify.ts'
import { connectDatabase } from '../../host/database/connect.ts'
import { seeded, type Random } from '../support/docintel-fixtures/random.ts'
import { startGateway, type Answer, type GatewayProcess } from '../support/gateway.ts'
import { silentLog } from '../support/log.ts'
import { patiently } from './patiently.ts'

export interface GatewaysOptions {
  /** A migrated database that is this series' own. */
  url: string
  callers: number
  seed: number
  /** Asked after each death with the number of deaths so far. */
  goesOn(deaths: number): boolean
  killServer: (() => Promise<void>) | null
}

export interface GatewaysReport {
  answered: number
  refused: number
  /** Calls that had no answer after some tries, and were sent again at the end. */
  unclear: number
  /** Requests beyond the first of their call. */
  sentAgain: number
  killedGateways: number
  killedServers: number
  wrong: string[]
}

const GATEWAYS = 3
const KEYS = 10
const FUNDED_CREDITS = 100_000
/** A key's daily budget, which the callers use up. */
const DAY_CREDITS = 1_000
const PRICE_CREDITS = 2
export const ENV = {
  SANDBOX: 'true',
  SANDBOX_CHAIN: 'false',
  HOLD_TTL: '2s',
  RATE_LIMIT_RPM: '1000000',
  RATE_LIMIT_BURST: '100000',
  COINOP_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
}

/** A request that costs money. */
export interface Order {
  path: string
  body: object
}
export interface Buyer {
  id: string
  key: string
  paid: number
}
export interface Call {
  buyer: Buyer
  /** What is bought; default: a hash of its key. */
  order?: Order
  idempotencyKey: string
  sent: number
}
/** Tries before a caller leaves a call for later. */
const IMPATIENT = 6

export async function runGateways(options: GatewaysOptions): Promise<GatewaysReport> {
  const gateways: (GatewayProcess | null)[] = []
  const folder = mkdtempSync(join(tmpdir(), 'coinop-chaos-gateways-'))
  try {
    return await withGateways(options, gateways, folder)
  } finally {
    await Promise.all(gateways.map((gateway) => gateway?.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withGateways(
  options: GatewaysOptions,
  gateways: (GatewayProcess | null)[],
  folder: string,
): Promise<GatewaysReport> {
  const random = seeded(options.seed)
  const env = { ...ENV, DATABASE_URL: options.url }
  // Whoever replaces a gateway finds its disk as it was left.
  const start = (at: number): Promise<GatewayProcess> =>
    startGateway(env, { dataDir: join(folder, String(at)), keepDataDir: true })
  for (let at = 0; at < GATEWAYS; at++) gateways.push(await start(at))
  const first = gateways[0]!
  const buyers = await keysOfOneAccount(first)
  const report: GatewaysReport = {
    answered: 0,
    refused: 0,
    unclear: 0,
    sentAgain: 0,
    killedGateways: 0,
    killedServers: 0,
    wrong: [],
  }
  const stop = new AbortController()
  /** Calls whose gateway died with them: their key is taken until their time is over. */
  const unclear: Call[] = []
  const calling = Promise.all(
    Array.from({ length: options.callers }, async (_, i) => {
      const own = seeded(options.seed * 31 + i)
      while (!stop.signal.aborted) {
        const call = { buyer: own.pick(buyers), idempotencyKey: newId(), sent: 0 }
        if (!(await send(call, own, gateways, report, IMPATIENT))) unclear.push(call)
      }
    }),
  )

  for (let deaths = 0; options.goesOn(deaths); deaths++) {
    await Bun.sleep(random.int(500, 1500))
    if (options.killServer !== null && deaths % 4 === 3) {
      await options.killServer()
      report.killedServers += 1
      continue
    }
    const at = random.int(0, GATEWAYS - 1)
    const dying = gateways[at]!
    gateways[at] = null
    await dying.kill()
    report.killedGateways += 1
    gateways[at] = await patiently(() => start(at))
  }
  stop.abort()
  await calling
  report.unclear = unclear.length
  await Promise.all(unclear.map((call) => send(call, random, gateways, report, Infinity)))

  const db = connectDatabase({ url: options.url, kind: 'server', log: silentLog })
  const { violations } = await patiently(() => verifyLedger(db.sql))
  report.wrong.push(...violations.map(({ subject, message }) => `${subject} ${message}`))
  for (const { id, paid } of buyers) {
    const [row] = await db.sql<[{ charged: number }]>`
      SELECT count(*)::integer AS charged FROM coinop.hold
      WHERE key_id = ${id} AND state = 'captured'`
    if (row.charged !== paid)
      report.wrong.push(`${id} paid ${row.charged} times for ${paid} answers`)
    if (row.charged * PRICE_CREDITS > DAY_CREDITS) report.wrong.push(`${id} is over its budget`)
  }
  await db.close()
  return report
}

/** Keys that spend one balance, each under limits of its own. */
export async function keysOfOneAccount(
  gateway: GatewayProcess,
  limits: Record<string, number> = { dailySpendCeiling: DAY_CREDITS },
): Promise<Buyer[]> {
  const one = await gateway.key(FUNDED_CREDITS, limits)
  const { accountId } = (await gateway.admin('GET', `/v1/keys/${one.id}`)).json
  const buyers = [{ ...one, paid: 0 }]
  while (buyers.length < KEYS) {
    const made = await gateway.admin('POST', '/v1/keys', { name: 'chaos', accountId, ...limits })
    if (made.status >= 300) throw new Error(`no key: ${made.text}`)
    buyers.push({ id: made.json.id, key: made.json.key, paid: 0 })
  }
  return buyers
}

/** Sends a call again until it has its answer; false when it has none after `tries`. */
export async function send(
  call: Call,
  random: Random,
  gateways: readonly (GatewayProcess | null)[],
  report: Pick<GatewaysReport, 'answered' | 'refused' | 'sentAgain'>,
  tries: number,
): Promise<boolean> {
  for (const last = call.sent + tries; call.sent < last; call.sent++) {
    if (call.sent > 0) {
      report.sentAgain += 1
      await Bun.sleep(random.int(100, Math.min(2000, 200 + 50 * call.sent)))
    }
    const answer = await post(random.pick(gateways), call)
    if (answer?.status === 200) {
      call.buyer.paid += 1
      report.answered += 1
      return true
    }
    if (answer !== null && isFinal(answer)) {
      report.refused += 1
      return true
    }
  }
  return false
}

async function post(
  gateway: GatewayProcess | null,
  { buyer, idempotencyKey, order }: Call,
): Promise<Answer | null> {
  try {
    const { path, body } = order ?? { path: '/v1/paid/hash', body: { input: idempotencyKey } }
    const answer = gateway?.call('POST', path, {
      body,
      headers: { 'x-api-key': buyer.key, 'idempotency-key': idempotencyKey },
    })
    return (await answer) ?? null
  } catch {
    // The gateway died, before or after it took the money.
    return null
  }
}

/**
 * A refusal that says for certain that nothing was charged: over the budget, or out of credits. Not one
 * for want of a free slot (429 as well), which comes before anybody looks for an earlier answer.
 */
const isFinal = ({ status, problem }: Answer): boolean =>
  status === 402 || (status === 429 && String(problem?.details?.limit).startsWith('budget_'))
