/** Webhook endpoints on the pages of customers and operators: what the relay answers, and secrets told once. */
import { InputError } from './api.ts'
import { tell, type Field } from './dialog.ts'
import { h } from './dom.ts'
import { copyable, note } from './parts.ts'
import { moment } from './when.ts'

export interface RelaySecret {
  createdAt: string
  /** Null: the current one. */
  validUntil: string | null
}

export interface RelayDestination {
  id: string
  url: string
  events: string[] | null
  status: 'enabled' | 'disabled'
  disabledReason: string | null
  failingSince: string | null
  /** Told once. */
  secret?: string
  secrets: RelaySecret[]
}

export interface RelayEndpoint {
  id: string
  name: string
  /** Null: nobody owns it; the operator alone can make such a one. */
  apiKeyId: string | null
  status: 'enabled' | 'disabled'
  disabledBy: 'operator' | 'owner' | null
  ingressUrl: string
  verification: { scheme: string; header?: string; secret?: string; secrets: RelaySecret[] }
  destinations: RelayDestination[]
  maxAttempts: number
  timeoutMs: number
  createdAt: string
}

export interface RelayDelivery {
  id: string
  endpointId: string
  deliveryId: string | null
  event: string | null
  sizeBytes: number
  sha256: string
  purged: boolean
  createdAt: string
  status: string
}

export interface RelayForward {
  id: string
  url: string
  cycle: number
  state: string
  lastError: string | null
  nextAttemptAt: string | null
  createdAt: string
  endedAt: string | null
  attempts: { n: number; at: string; status: number | null; error: string | null; ms: number }[]
}

const HOUR_S = 3600
const MOST_HOURS = 168

/** The fields of a dialog that makes or sets a new secret. */
export const ROTATE_FIELDS: readonly Field[] = [
  {
    name: 'secret',
    label: 'New secret',
    hint: 'Empty: one is made here and shown once',
  },
  {
    name: 'hours',
    label: 'Hours that the secret before counts too',
    value: '24',
    hint: `0 to ${MOST_HOURS}`,
  },
]

/** The body of a rotation. Throws an InputError for hours that are none. */
export function rotationOf({ secret = '', hours = '' }: Readonly<Record<string, string>>): object {
  const given = Number(hours)
  if (!/^\d+(\.\d+)?$/.test(hours) || given > MOST_HOURS) {
    throw new InputError(`Hours must be a number from 0 to ${MOST_HOURS}.`)
  }
  return { graceSeconds: Math.round(given * HOUR_S), ...(secret !== '' && { secret }) }
}

/** Shows the secrets that an answer tells once; nothing where it tells none. */
export function tellSecrets(
  title: string,
  secrets: readonly (readonly [what: string, secret: string | undefined])[],
): void {
  const told = secrets.filter(([, secret]) => secret !== undefined)
  if (told.length === 0) return
  tell(
    title,
    note('warn', 'Copy it now: it is shown this once.'),
    told.map(([what, secret]) => [h('p', {}, what), h('p', {}, copyable(secret!))]),
  )
}

/** 'since 3 May', and for each that was replaced until when it counts. */
export function secretCell(secrets: readonly RelaySecret[]): HTMLElement | string {
  if (secrets.length === 0) return 'none'
  return h(
    'ul',
    {},
    secrets.map(({ createdAt, validUntil }) =>
      validUntil === null
        ? h('li', {}, 'since ', moment(createdAt))
        : h('li', {}, 'the one before until ', moment(validUntil)),
    ),
  )
}
