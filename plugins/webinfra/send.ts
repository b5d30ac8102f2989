/** One attempt on the wire: the request as a destination gets it, and what its answer means. */
import {
  retryAfterMs,
  signatureHeaders,
  type GuardedExchange,
  type Outbound,
  type Vault,
} from '#kernel'
import { readExcerpt } from './excerpt.ts'
import { openSecrets } from './secrets.ts'
import type { AttemptRecord } from './store/queue.ts'
import type { Claimed } from './store/claimed.ts'

export interface SendDeps {
  outbound: Outbound
  vault: Vault
  now(): Date
}

/** `delivered` is a 2xx; the rest says why it is none. */
export interface Sent {
  delivered: boolean
  record: AttemptRecord
  retryAfterMs: number | null
  /** The destination answered 410: it wants no more. */
  gone: boolean
  /** The destination may not be reached at all (SSRF rules). */
  blocked: boolean
  /** Cut off by this gateway's own shutdown, not by the destination. */
  aborted: boolean
}

const EXCERPT_BYTES = 4096
/** A destination that answered 2xx and then dawdles does not hold up its own success. */
const EXCERPT_MS = 1000

/** Sends the payload once. Never throws for what a destination does. */
export async function send(deps: SendDeps, claimed: Claimed, signal: AbortSignal): Promise<Sent> {
  const { payload, destination } = claimed
  const at = deps.now()
  const startedAt = performance.now()
  const body = payload.body ?? new Uint8Array()
  const headers = {
    ...payload.headers,
    ...(await ownHeaders(deps.vault, destination.headers)),
    ...signatureHeaders(
      claimed.deliveryId,
      at,
      body,
      await openSecrets(deps.vault, destination.secrets, at),
    ),
    'x-webhook-delivery-id': claimed.deliveryId,
    'x-webhook-attempt': String(claimed.attempts + 1),
  }
  const answer = await deps.outbound.request(destination.url, {
    method: 'POST',
    headers,
    body,
    signal,
    headersTimeoutMs: claimed.timeoutMs,
    timeoutMs: claimed.timeoutMs,
    // Whoever named the destination could name its port.
    anyPort: true,
  })
  const excerpt = answer.ok ? await excerptOf(answer) : answer.message
  const status = answer.ok ? answer.status : null
  const delivered = status !== null && status >= 200 && status < 300
  return {
    delivered,
    record: {
      at,
      status,
      error: delivered ? null : answer.ok ? errorOf(answer.status) : answer.reason,
      ms: Math.round(performance.now() - startedAt),
      excerpt,
    },
    retryAfterMs: answer.ok ? retryAfterMs(answer.headers, at) : null,
    gone: status === 410,
    blocked: !answer.ok && (answer.reason === 'ssrf' || answer.reason === 'invalid_url'),
    aborted: !answer.ok && answer.reason === 'aborted' && signal.aborted,
  }
}

function errorOf(status: number): string {
  if (status >= 300 && status < 400) return 'redirect'
  return `http_${status}`
}

async function ownHeaders(vault: Vault, sealed: string | null): Promise<Record<string, string>> {
  return sealed === null ? {} : (JSON.parse(await vault.open(sealed)) as Record<string, string>)
}

/** The first bytes of the answer as text that PostgreSQL can keep; whatever came within a second. */
async function excerptOf(answer: GuardedExchange): Promise<string> {
  const timer = setTimeout(() => answer.cancel(), EXCERPT_MS)
  try {
    return (await readExcerpt(answer, EXCERPT_BYTES)).replaceAll('\0', '\uFFFD')
  } finally {
    clearTimeout(timer)
  }
}
