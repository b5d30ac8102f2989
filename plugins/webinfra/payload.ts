/** What the relay reads from a payload and its headers: the sender's own id and the event's name. */
import { createHash } from 'node:crypto'
import { isObject } from '#kernel'
import type { SchemeName } from './verify/contract.ts'
import { standardHeader } from './verify/standard.ts'

/** A webhook as it came in; `body` is the raw bytes. */
export interface Payload {
  body: Uint8Array
  headers: Headers
}

const ID_HEADERS: Readonly<Partial<Record<SchemeName, readonly string[]>>> = {
  github: ['x-github-delivery'],
  shopify: ['x-shopify-webhook-id', 'x-shopify-event-id'],
}
/** Members of GitHub's bodies: what only ever goes forward, and what has the time of its last change. */
const ONE_WAY = ['workflow_run', 'workflow_job', 'deployment_status']
const TIMED = ['issue', 'pull_request', 'comment', 'review', 'release']
const TIMED_ACTIONS: ReadonlySet<string> = new Set([
  'opened',
  'closed',
  'reopened',
  'synchronize',
  'created',
  'submitted',
  'published',
])
const MAX_TOPIC_CHARACTERS = 100
const EVENT_HEADERS = ['x-github-event', 'x-shopify-topic', 'x-gitlab-event', 'x-event-key']
const MAX_EVENT_CHARACTERS = 200

/** Headers that travel on to the destinations, so that they can read and re-verify the original. */
const KEPT_HEADERS = [
  'content-type',
  'content-language',
  'content-encoding',
  'traceparent',
  ...EVENT_HEADERS,
  'x-github-delivery',
  'x-github-hook-id',
  'x-hub-signature-256',
  'stripe-signature',
  'x-slack-signature',
  'x-slack-request-timestamp',
  'x-shopify-hmac-sha256',
  'x-shopify-webhook-id',
  'x-shopify-event-id',
  'x-shopify-shop-domain',
  'x-shopify-api-version',
  'x-shopify-triggered-at',
  'x-paystack-signature',
]
const MAX_HEADER_CHARACTERS = 4096

/** The headers of the allow-list that are kept with a delivery. */
export function keptHeaders(headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of KEPT_HEADERS) {
    const value = headers.get(name)
    if (value !== null && value.length <= MAX_HEADER_CHARACTERS) kept[name] = value
  }
  return kept
}

/** The body as a JSON object, or null when it is anything else. */
export function jsonObjectOf(body: Uint8Array): Record<string, unknown> | null {
  if (body[0] !== 0x7b && !/^\s*\{/.test(new TextDecoder().decode(body.subarray(0, 64))))
    return null
  try {
    const parsed: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : null
  } catch {
    return null
  }
}

/**
 * The id that deduplicates a webhook, or null. The documented order is `given` (the header
 * X-Webhook-Delivery-Id, or a tool's argument), the body's `deliveryId`, the scheme's own. Of a
 * webhook whose signature is genuine, ids that the signature covers come before all others: who
 * captured it could change the rest.
 */
export function deliveryIdOf(
  scheme: SchemeName,
  payload: Payload,
  from: { given: string | undefined; json: Record<string, unknown> | null; genuine: boolean },
): string | null {
  const { given = null, json, genuine } = from
  const covered = genuine && scheme !== 'shared-secret'
  const signed = covered
    ? (bodyId(json) ?? signedId(scheme, payload, json) ?? onceId(scheme, payload, json))
    : null
  return (
    signed ??
    given ??
    bodyId(json) ??
    signedId(scheme, payload, json) ??
    headerId(scheme, payload.headers)
  )
}

/** The body's own `deliveryId`, or null. */
export function bodyId(json: Record<string, unknown> | null): string | null {
  return textOf(json?.['deliveryId'])
}

/**
 * The scheme's own id, where its signature covers it. Paystack has none, but its retries repeat the
 * body, which names the charge: there the body's hash is the id.
 */
function signedId(
  scheme: SchemeName,
  { headers, body }: Payload,
  json: Record<string, unknown> | null,
): string | null {
  switch (scheme) {
    case 'standard-webhooks':
      return standardHeader(headers, 'id')
    case 'stripe':
      return textOf(json?.['id'])
    case 'slack':
      return textOf(json?.['event_id'])
    case 'paystack':
      return digestOf(body)
    default:
      return null
  }
}

/**
 * The digest of a body that its sender signs alone, where no two events have equal bodies; else null.
 * GitHub and Shopify name a delivery only in headers, which who captured one could change. What may
 * well come twice (a workflow started by hand, a member added again) stays known by its header.
 */
function onceId(
  scheme: SchemeName,
  { headers, body }: Payload,
  json: Record<string, unknown> | null,
): string | null {
  if (scheme === 'github' && json !== null && isOnceAtGithub(json)) return digestOf(body)
  // A whole resource as it was then. One change is often told by several topics in equal bodies.
  if (scheme === 'shopify' && typeof json?.['updated_at'] === 'string' && !isShop(json))
    return `${digestOf(body)} ${(headers.get('x-shopify-topic') ?? '').slice(0, MAX_TOPIC_CHARACTERS)}`
  return null
}

/** Pushes, steps of runs, and changes that the issue or comment in the body has a new time for. */
function isOnceAtGithub(json: Record<string, unknown>): boolean {
  const isPush = typeof json['after'] === 'string' && isObject(json['repository'])
  if (isPush || ONE_WAY.some((name) => isObject(json[name]))) return true
  const action = textOf(json['action'])
  return action !== null && TIMED_ACTIONS.has(action) && TIMED.some((name) => isObject(json[name]))
}

/** The shop itself keeps its time when an app is removed from it. */
function isShop(json: Record<string, unknown>): boolean {
  return 'myshopify_domain' in json
}

function digestOf(body: Uint8Array): string {
  return `sha256:${createHash('sha256').update(body).digest('hex')}`
}

/** The scheme's own id, where a header carries it that no signature covers. */
function headerId(scheme: SchemeName, headers: Headers): string | null {
  return ID_HEADERS[scheme]?.map((name) => headers.get(name)).find((id) => id !== null) ?? null
}

/** The name of the event: a provider's header, else `type`, `event` or `event.type` of the body. */
export function eventName(headers: Headers, json: Record<string, unknown> | null): string | null {
  for (const name of EVENT_HEADERS) {
    const value = headers.get(name)
    if (value !== null && value !== '') return value.slice(0, MAX_EVENT_CHARACTERS)
  }
  const event = json?.['event']
  const nested = typeof event === 'object' && event !== null ? { ...event } : null
  const found =
    textOf((nested as { type?: unknown } | null)?.type) ??
    textOf(json?.['type']) ??
    textOf(event) ??
    textOf(json?.['event_type'])
  // PostgreSQL keeps no U+0000 in a text.
  return found?.slice(0, MAX_EVENT_CHARACTERS).replaceAll('\0', '\uFFFD') ?? null
}

/**
 * What Slack wants back before it sends events to an address (docs.slack.dev, url_verification); null
 * for any other webhook.
 */
export function challengeOf(scheme: SchemeName, { body }: Payload): string | null {
  const json = scheme === 'slack' ? jsonObjectOf(body) : null
  return json?.['type'] === 'url_verification' ? textOf(json['challenge']) : null
}

/** Whether a destination that listens to `events` (null: all) wants this one; `order.*` is a prefix. */
export function wants(events: readonly string[] | null, event: string | null): boolean {
  if (events === null) return true
  if (event === null) return false
  return events.some((pattern) =>
    pattern.endsWith('*') ? event.startsWith(pattern.slice(0, -1)) : event === pattern,
  )
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
