/** Changing a webhook endpoint and its destinations: the same dialogs for its owner and for the operator. */
import { InputError, type Asked } from './api.ts'
import { askFor, type Field } from './dialog.ts'
import { button, h } from './dom.ts'
import { listIn } from './key-terms.ts'
import { action, badge } from './parts.ts'
import {
  ROTATE_FIELDS,
  rotationOf,
  secretCell,
  tellSecrets,
  type RelayDestination,
  type RelayEndpoint,
} from './relay.ts'
import type { Column } from './table.ts'
import type { Shell } from './view.ts'
import { moment } from './when.ts'

/** How a page changes an endpoint, and for whom. */
export interface RelayDesk {
  ask<T>(path: string, asked?: Asked): Promise<T>
  /** Of the endpoint. */
  path: string
  by: 'owner' | 'operator'
  shell: Shell
}

const SCHEMES = [
  'standard-webhooks',
  'github',
  'stripe',
  'slack',
  'shopify',
  'paystack',
  'hmac',
  'shared-secret',
  'none',
]

/** What is asked for a new endpoint; `key` says which key pays. */
export function endpointFields(key: Field): Field[] {
  return [
    { name: 'name', label: 'Name', required: true, hint: 'Who sends the webhooks' },
    key,
    { name: 'scheme', label: 'Senders sign by', options: SCHEMES },
    {
      name: 'secret',
      label: 'Secret of the sender',
      hint: 'Empty: one is made here and shown once (not for stripe, slack, shopify, paystack)',
    },
    { name: 'url', label: 'Destination', hint: 'Its URL; more can be added later' },
  ]
}

/** The body of a new endpoint from what was typed. */
export function endpointOf(
  { name, scheme, secret, url }: Readonly<Record<string, string>>,
  apiKeyId: string | null | undefined,
): object {
  return {
    name,
    apiKeyId,
    verification: { scheme, ...(secret && { secret }) },
    destinations: url ? [{ url }] : [],
  }
}

/** Shows the secrets of an endpoint that was just made. */
export function tellMade(made: RelayEndpoint): void {
  tellSecrets(`Endpoint ${made.name} is made`, [
    ['The sender signs with', made.verification.secret],
    ...made.destinations.map(
      (one) => [`What is sent to ${one.url} is signed with`, one.secret] as const,
    ),
  ])
}

export function endpointButtons(endpoint: RelayEndpoint, desk: RelayDesk): HTMLElement {
  const { ask, path, by, shell } = desk
  return h(
    'p',
    { class: 'buttons' },
    by === 'operator' && button('Change …', () => changeEndpoint(endpoint, desk)),
    endpoint.verification.scheme !== 'none' &&
      button('New secret …', () =>
        rotate(`New secret for senders to ${endpoint.name}`, path, desk),
      ),
    (by === 'operator' || endpoint.disabledBy !== 'operator') &&
      pauseButton(endpoint.status, path, desk),
    button(
      'Delete …',
      () =>
        askFor({
          title: `Delete ${endpoint.name}`,
          text: 'For good: senders are refused, and what waits is not forwarded.',
          action: 'Delete for good',
          isDangerous: true,
          async submit() {
            await ask(path, { method: 'DELETE' })
            shell.refresh()
          },
        }),
      { class: 'danger' },
    ),
  )
}

/** What a pause does not stop; null for an endpoint that is not paused. */
export function pauseHint({ status }: RelayEndpoint): HTMLElement | null {
  if (status === 'enabled') return null
  return h(
    'p',
    { class: 'hint' },
    'Senders are refused. What came in before is still forwarded and retried: pause a destination to stop that, too.',
  )
}

function changeEndpoint(endpoint: RelayEndpoint, { ask, path, shell }: RelayDesk): void {
  askFor({
    title: `Change ${endpoint.name}`,
    fields: [
      { name: 'name', label: 'Name', value: endpoint.name, required: true },
      {
        name: 'apiKeyId',
        label: 'Key that pays',
        value: endpoint.apiKeyId ?? '',
        hint: 'Its id, key_…; empty: nobody owns the endpoint',
      },
      { name: 'maxAttempts', label: 'Attempts at most', value: String(endpoint.maxAttempts) },
      {
        name: 'timeoutMs',
        label: 'Time for one attempt, in milliseconds',
        value: String(endpoint.timeoutMs),
      },
    ],
    action: 'Save',
    async submit({ name }, { apiKeyId, maxAttempts, timeoutMs }) {
      await ask(path, {
        method: 'PATCH',
        body: {
          name,
          ...(apiKeyId !== undefined && { apiKeyId: apiKeyId || null }),
          ...(maxAttempts !== undefined && {
            maxAttempts: wholeNumber(maxAttempts, 'Attempts at most'),
          }),
          ...(timeoutMs !== undefined && {
            timeoutMs: wholeNumber(timeoutMs, 'The time for one attempt'),
          }),
        },
      })
      shell.refresh()
    },
  })
}

function wholeNumber(typed: string, label: string): number {
  if (/^\d{1,9}$/.test(typed)) return Number(typed)
  throw new InputError(`${label} must be a whole number.`)
}

/** What a table tells of destinations; without a `desk` nothing changes them. */
export function destinationColumns(desk: RelayDesk | null): Column<RelayDestination>[] {
  const shown: Column<RelayDestination>[] = [
    { name: 'URL', show: ({ url }) => url },
    {
      name: 'State',
      show: ({ status, disabledReason }) => [
        badge(status, disabledReason ?? undefined),
        disabledReason !== null && h('small', {}, ` by ${disabledReason.replaceAll('_', ' ')}`),
      ],
    },
    { name: 'Events', show: ({ events }) => events?.join(', ') ?? 'all' },
    { name: 'Failing since', show: ({ failingSince }) => moment(failingSince) },
    { name: 'Secret', show: ({ secrets }) => secretCell(secrets) },
  ]
  if (desk === null) return shown
  return [...shown, { name: 'Change', show: (one) => h('span', {}, destinationButtons(one, desk)) }]
}

function destinationButtons(one: RelayDestination, desk: RelayDesk): (HTMLElement | string)[] {
  const path = `${desk.path}/destinations/${encodeURIComponent(one.id)}`
  const isPausable = desk.by === 'operator' || one.disabledReason !== 'operator'
  const buttons = [
    ...(desk.by === 'operator'
      ? [button('Change …', () => changeDestination(one, path, desk))]
      : []),
    button('New secret …', () => rotate(`New secret for ${one.url}`, path, desk)),
    ...(isPausable ? [pauseButton(one.status, path, desk)] : []),
    button('Remove …', () => removeDestination(one, path, desk), { class: 'danger' }),
  ]
  return buttons.flatMap((each) => [each, ' '])
}

function pauseButton(
  status: 'enabled' | 'disabled',
  path: string,
  { ask, shell }: RelayDesk,
): HTMLElement {
  const next = status === 'enabled' ? 'disabled' : 'enabled'
  return action(next === 'disabled' ? 'Pause' : 'Enable', async () => {
    await ask(path, { method: 'PATCH', body: { status: next } })
    shell.refresh()
  })
}

function rotate(title: string, path: string, { ask, shell }: RelayDesk): void {
  askFor({
    title,
    fields: ROTATE_FIELDS,
    action: 'Change the secret',
    async submit(values) {
      const changed = await ask<Partial<RelayEndpoint> & { secret?: string }>(`${path}/rotate`, {
        method: 'POST',
        body: rotationOf(values),
      })
      tellSecrets(title, [['The new one', changed.secret ?? changed.verification?.secret]])
      shell.refresh()
    },
  })
}

const EVENTS_FIELD: Field = {
  name: 'events',
  label: 'Events',
  hint: 'Names with commas between, order.* is a prefix; empty: all',
}

export function addDestination({ ask, path, shell }: RelayDesk): void {
  askFor({
    title: 'Add a destination',
    fields: [{ name: 'url', label: 'URL', required: true }, EVENTS_FIELD],
    action: 'Add it',
    async submit({ url, events = '' }) {
      const made = await ask<RelayDestination>(`${path}/destinations`, {
        method: 'POST',
        body: { url, events: listIn(events) },
      })
      tellSecrets(`${made.url} is added`, [['What is sent there is signed with', made.secret]])
      shell.refresh()
    },
  })
}

function changeDestination(one: RelayDestination, path: string, { ask, shell }: RelayDesk): void {
  askFor({
    title: `Change ${one.url}`,
    fields: [
      { name: 'url', label: 'URL', value: one.url, required: true },
      { ...EVENTS_FIELD, value: one.events?.join(', ') ?? '' },
    ],
    action: 'Save',
    async submit({ url }, { events }) {
      const body = { url, ...(events !== undefined && { events: listIn(events) }) }
      await ask(path, { method: 'PATCH', body })
      shell.refresh()
    },
  })
}

function removeDestination(one: RelayDestination, path: string, { ask, shell }: RelayDesk): void {
  askFor({
    title: `Remove ${one.url}`,
    text: 'What waits for it is not sent any more.',
    action: 'Remove it',
    isDangerous: true,
    async submit() {
      await ask(path, { method: 'DELETE' })
      shell.refresh()
    },
  })
}
