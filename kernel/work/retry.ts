/**
 * Retries for statements about money when the database goes away while they run. Their outcome is
 * then unknown and never guessed: every such statement is idempotent (by hold id or reference), so
 * running it again either does it now or finds that it was done. The write batcher uses them.
 */
import { codeOf, fail, GatewayError, type Failure } from '../errors.ts'
import { within } from './timeout.ts'
import { REASONS } from '../reasons.ts'
import { createBatcher, type Batcher, type BatcherOptions } from './batcher.ts'

/** How long a write keeps trying to reach the database before it answers 503. */
const PATIENCE_MS = 5_000
const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 500
/**
 * Every order gets at least this long for one try, however long it waited for its turn, unless
 * another order has just got no answer.
 */
const LEAST_TRY_MS = 500

const LOST = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  '53300', // too many connections
  '57P01', // administrator shut the server down
  '57P02', // another backend crashed
  '57P03', // starting up
])
/** Nothing was done, and a retry can succeed: serialization, deadlock, lock timeout, full disk. */
const TRANSIENT = new Set(['40001', '40P01', '55P03', '53100'])

/** The database accepted a statement and did not answer. */
class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** Whether the same statement may succeed if it is run again. */
function isRetryable(error: unknown): boolean {
  const code = codeOf(error)
  return LOST.has(code) || TRANSIENT.has(code) || code.startsWith('08')
}

/** INTERNAL_ERROR 503 with a retry in seconds: whether the ledger did it is unknown. */
export function ledgerFailure(message: string): Failure {
  return fail('INTERNAL_ERROR', message, {
    status: 503,
    retryable: true,
    details: { reason: REASONS.ledger_unavailable },
    headers: { 'retry-after': '2' },
  })
}

/** The ledger is unreachable, so nothing can be bought now. */
export function ledgerUnavailable(cause: unknown): GatewayError {
  const failure = ledgerFailure('The ledger is not reachable; try again shortly')
  return new GatewayError(failure, { cause })
}

/**
 * The statement's result, or `ledgerUnavailable` after `patienceMs`: the driver waits forever for a
 * server that accepts and drops connections. The statement may still take effect.
 */
export function withinPatience<T>(
  statement: () => Promise<T>,
  patienceMs: number = PATIENCE_MS,
): Promise<T> {
  return within(statement(), patienceMs, () => {
    throw ledgerUnavailable(new NoAnswer(`no answer in ${patienceMs} ms`))
  })
}

/**
 * Result of an idempotent `statement`, run again while the database is away, until PATIENCE_MS
 * after `startedAtMs`. Throws `ledgerUnavailable` then (the outcome stays unknown), and any other
 * error as it is.
 */
export async function untilReached<T>(
  statement: () => Promise<T>,
  startedAtMs: number = performance.now(),
): Promise<T> {
  const leftMs = () => Math.max(LEAST_TRY_MS, startedAtMs + PATIENCE_MS - performance.now())
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await withinPatience(statement, leftMs())
    } catch (error) {
      if (codeOf(error) === 'CONNECTION_ENDED') throw ledgerUnavailable(error)
      if (!isRetryable(error)) throw error
      if (performance.now() + pauseMs - startedAtMs > PATIENCE_MS) throw ledgerUnavailable(error)
      await Bun.sleep(pauseMs * (0.5 + Math.random()))
    }
  }
}

/**
 * The result of `attempt`, repeated in the background while it throws or gives null; null after
 * `forMs`. Never rejects, and keeps no process alive.
 */
export async function persistently<T>(
  attempt: () => Promise<T | null>,
  { everyMs, forMs }: { everyMs: number; forMs: number },
): Promise<T | null> {
  const untilMs = performance.now() + forMs
  while (performance.now() < untilMs) {
    const result = await attempt().catch(() => null)
    if (result !== null) return result
    await new Promise((resolve) => setTimeout(resolve, everyMs).unref())
  }
  return null
}

export interface WriteBatcherOptions<Order, Outcome> extends BatcherOptions<Order, Outcome> {
  keyOf(order: Order): string
  laneOf(order: Order): string
  /** Must be idempotent: it is run again if the connection was lost and its outcome is unknown. */
  one(order: Order): Promise<Outcome>
}

/**
 * A batcher that retries single orders while the database is away, and limits the time of
 * statements. `submit` rejects with INTERNAL_ERROR 503 (`ledger_unavailable`) if the database stays
 * away or too many orders are waiting; the outcome of the order is then unknown.
 */
export function createWriteBatcher<Order, Outcome>(
  options: WriteBatcherOptions<Order, Outcome>,
): Batcher<Order, Outcome> {
  let silentAtMs = -Infinity
  /**
   * Orders of one account run one after another. If the database does not answer, each would wait
   * in turn, so all orders whose time is over fail together with the first.
   */
  const one = async (order: Order, submittedAtMs: number): Promise<Outcome> => {
    const nowMs = performance.now()
    if (nowMs - submittedAtMs > PATIENCE_MS && nowMs - silentAtMs < LEAST_TRY_MS)
      throw ledgerUnavailable(new NoAnswer('none to an earlier order either'))
    try {
      return await untilReached(() => options.one(order), submittedAtMs)
    } catch (error) {
      const isSilent = error instanceof GatewayError && error.cause instanceof NoAnswer
      if (isSilent) silentAtMs = performance.now()
      throw error
    }
  }
  return createBatcher<Order, Outcome>({
    ...options,
    whenFull: ledgerUnavailable,
    one,
    many: (orders) => withinPatience(() => options.many(orders)),
  })
}
