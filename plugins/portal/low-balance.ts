/**
 * Tells owners that their balance fell below their limit: once for each crossing, by mail and webhook.
 * A round each minute, and one after a change of the settings, asks for the accounts that want to be
 * told, so that no call carries anything for it; what is to be sent is a row that any instance may send.
 */
import {
  atomicToCredits,
  newId,
  retryAfterMs,
  signatureHeaders,
  type Accounts,
  type Logger,
  type Outbound,
  type PluginDb,
  type Vault,
} from '#kernel'
import type { Mailer } from './mailer.ts'
import type { Settings } from './settings.ts'
import type { Site } from './site.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

export interface LowBalanceDeps {
  db: PluginDb
  site: Site
  accounts: Pick<Accounts, 'belowMark' | 'owners'>
  settings: Pick<Settings, 'webhook' | 'of'>
  vault: Pick<Vault, 'seal'>
  mailer: Mailer | null
  operatorName: string
  outbound: Pick<Outbound, 'request'>
  log: Logger
}

interface Notice {
  id: string
  accountId: string
  way: 'email' | 'webhook'
  body: LowBalance
  madeAt: Date
  /** By the clock of the database, as `madeAt`; a receiver refuses what this machine would date wrong. */
  claimedAt: Date
  attempts: number
}

/** The webhook's body, in the form of the operator's account events. */
interface LowBalance {
  id: string
  type: 'account.low_balance'
  timestamp: string
  data: { accountId: string; balance: { credits: number }; lowMarkCredits: number }
}

const SLICE = 200
const AT_ONCE = 10
/** Longer than one attempt can last. */
const LEASE = '1 minute'
const TIMEOUT_MS = 10_000
const KEPT = '70 days'
/** The pause before the next attempt: doubled from half a minute to an hour. */
const PAUSE = `least(3600, 30 * power(2, attempts - 1)) * interval '1 second'`
const GIVEN_UP_AFTER = '2 days'
/** Standard Webhooks: a receiver that answers 410 wants no more attempts. */
const GONE = 'http_410'

/** Writes a notice for every account that crossed its limit since the round before. */
export async function noteLowBalances(deps: LowBalanceDeps, signal: AbortSignal): Promise<void> {
  const { db, accounts } = deps
  let after = ''
  for (;;) {
    const rows = await db.query<{ accountId: string; toldLowAt: Date | null }>(
      `SELECT account_id AS "accountId", told_low_at AS "toldLowAt" FROM account_setting
       WHERE (notice_email IS NOT NULL OR webhook_url IS NOT NULL) AND account_id > $1
       ORDER BY account_id LIMIT ${SLICE}`,
      [after],
    )
    const toldAt = new Map(rows.map(({ accountId, toldLowAt }) => [accountId, toldLowAt]))
    for (const account of await accounts.belowMark([...toldAt.keys()])) {
      if (signal.aborted) return
      const { accountId, availableAtomic, heldAtomic, lowMarkAtomic, lowAt } = account
      if (toldAt.get(accountId)?.getTime() === lowAt.getTime()) continue
      await note(db, accountId, lowAt, {
        accountId,
        balance: { credits: atomicToCredits(availableAtomic + heldAtomic) },
        lowMarkCredits: atomicToCredits(lowMarkAtomic),
      })
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < SLICE) return
    after = last.accountId
  }
}

/** Why a notice was not taken, and the pause that its receiver asks for; null: none. */
interface Untaken {
  error: string
  retryAfterMs: number | null
}

/** One row for each way, unless another instance was first. */
async function note(
  db: PluginDb,
  accountId: string,
  lowAt: Date,
  data: LowBalance['data'],
): Promise<void> {
  await db.transaction(async (tx) => {
    const [told] = await tx.query<{ email: string | null; url: string | null }>(
      `UPDATE account_setting SET told_low_at = $2
       WHERE account_id = $1 AND told_low_at IS DISTINCT FROM $2
       RETURNING notice_email AS email, webhook_url AS url`,
      [accountId, lowAt],
    )
    for (const way of ['email', 'webhook'] as const) {
      if (!told || (way === 'email' ? told.email : told.url) === null) continue
      const id = newId()
      const timestamp = lowAt.toISOString()
      const body: LowBalance = { id, type: 'account.low_balance', timestamp, data }
      await tx.query(
        'INSERT INTO notice (id, account_id, way, body) VALUES ($1, $2, $3, $4::text::jsonb)',
        [id, accountId, way, JSON.stringify(body)],
      )
    }
  })
}

/** Sends what is due; what fails comes back later, for two days. */
export async function sendNotices(deps: LowBalanceDeps, signal: AbortSignal): Promise<void> {
  const { db } = deps
  for (;;) {
    if (signal.aborted) return
    const due = await db.query<Notice>(
      `UPDATE notice SET attempts = attempts + 1, due_at = now() + interval '${LEASE}'
       WHERE id IN (SELECT id FROM notice WHERE done_at IS NULL AND due_at <= now()
                    ORDER BY due_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
       RETURNING id, account_id AS "accountId", way, body, made_at AS "madeAt", attempts, now() AS "claimedAt"`,
    )
    await Promise.all(due.map((notice) => send(deps, notice, signal)))
    if (due.length < AT_ONCE) return
  }
}

/** Notices that were made long ago. */
export const OLD_NOTICES = {
  table: 'notice',
  key: 'id',
  isOver: `made_at < now() - interval '${KEPT}'`,
}

async function send(deps: LowBalanceDeps, notice: Notice, signal: AbortSignal): Promise<void> {
  const { id, accountId, way, attempts } = notice
  const untaken = await (way === 'email' ? mail(deps, notice) : post(deps, notice, signal))
  const error = untaken?.error ?? null
  // What the end of this gateway cut off was not refused: whoever looks next sends it.
  const isCutOff = untaken !== null && signal.aborted
  await deps.db.query(
    `UPDATE notice SET last_error = $3,
       done_at = CASE WHEN $3::text IS NULL OR $3 = '${GONE}'
         OR made_at < now() - interval '${GIVEN_UP_AFTER}' THEN now() END,
       due_at = CASE WHEN $5 THEN now()
         ELSE now() + greatest(${PAUSE}, $4::float8 * interval '1 millisecond') END
     WHERE id = $1 AND attempts = $2 AND done_at IS NULL`,
    [id, attempts, error, untaken?.retryAfterMs ?? 0, isCutOff],
  )
  const facts = { notice: id, accountId, way, attempts }
  if (error === null) deps.log.info(facts, 'low balance notice sent')
  else deps.log.warn({ ...facts, error }, 'low balance notice not sent')
}

/** Null: it was taken. A mailbox that is gone from the account gets nothing. */
async function mail(
  { mailer, accounts, settings, site, vault, operatorName }: LowBalanceDeps,
  { accountId, body }: Notice,
): Promise<Untaken | null> {
  const { noticeEmail } = await settings.of(accountId)
  if (mailer === null || noticeEmail === null) return null
  // The operator can take a mailbox away without these settings.
  const owners = await accounts.owners(accountId)
  if (!owners.some(({ subject }) => subject === `email:${noticeEmail}`)) return null
  const { balance, lowMarkCredits } = body.data
  const credits = balance.credits === 1 ? 'credit' : 'credits'
  const endedAt = await unsubscribeUrl(vault, site, { accountId, email: noticeEmail })
  const isSent = await mailer.send({
    to: noticeEmail,
    subject: `Your balance at ${operatorName} is below ${lowMarkCredits} credits`,
    text: [
      `Your balance at ${operatorName} is ${balance.credits} ${credits}, below the limit of ${lowMarkCredits} that you set.`,
      `Buy credits: ${site.uri}/buy`,
      `Change the limit: ${site.uri}/settings`,
      `End these mails: ${endedAt}`,
    ].join('\n\n'),
    endedAt,
  })
  return isSent ? null : { error: 'smtp', retryAfterMs: null }
}

async function post(
  { settings, outbound }: LowBalanceDeps,
  { accountId, body, claimedAt: at }: Notice,
  signal: AbortSignal,
): Promise<Untaken | null> {
  const webhook = await settings.webhook(accountId)
  if (webhook === null) return null
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  const answer = await outbound.request(webhook.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...signatureHeaders(body.id, at, bytes, webhook.secrets),
    },
    body: bytes,
    signal,
    headersTimeoutMs: TIMEOUT_MS,
    timeoutMs: TIMEOUT_MS,
  })
  if (!answer.ok) return { error: answer.reason, retryAfterMs: null }
  answer.cancel()
  if (answer.status >= 200 && answer.status < 300) return null
  return { error: `http_${answer.status}`, retryAfterMs: retryAfterMs(answer.headers, at) }
}
