/** One webhook delivery: every forward, every attempt, and sending it again. */
import { numberText } from '../../../shared/pages/amount.ts'
import { ask } from '../api.ts'
import { ApiError, InputError } from '../../../shared/pages/api.ts'
import { button, h } from '../../../shared/pages/dom.ts'
import { askFor } from '../../../shared/pages/dialog.ts'
import {
  badge,
  copyable,
  facts,
  go,
  identifier,
  note,
  section,
} from '../../../shared/pages/parts.ts'
import { table } from '../../../shared/pages/table.ts'
import { view, type MakeView, type Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { RelayEndpoint } from '../../../shared/pages/relay.ts'
import type { Registry } from '../wire/products.ts'
import type { Delivery, DeliveryDetail } from '../wire/webhooks.ts'
import { onceName } from './once.ts'
import { notMounted, orNotMounted, RELAY } from './relay.ts'

type Forward = DeliveryDetail['forwards'][number]

export const deliveryView =
  (id: string): MakeView =>
  (shell) =>
    view<DeliveryDetail | null>({
      title: 'Webhook delivery',
      isLive: true,
      load: (signal) =>
        orNotMounted(
          ask<DeliveryDetail>(`${RELAY}/deliveries/${encodeURIComponent(id)}`, {
            signal,
          }),
          true,
        ),
      show(delivery) {
        if (delivery === null) return notMounted()
        const { headers, forwards, endpointId, apiKeyId } = delivery
        return [
          facts(
            ['Id', copyable(delivery.id)],
            ['Status', badge(delivery.status)],
            ['Received', moment(delivery.createdAt)],
            ['Event', delivery.event ?? '–'],
            ['Sender’s id', delivery.deliveryId ?? '–'],
            ['Endpoint', go(endpointId, ['webhooks', 'endpoints', endpointId])],
            ['Payer', apiKeyId === null ? 'x402' : identifier(apiKeyId, ['keys', apiKeyId])],
            [
              'Payload',
              `${numberText(delivery.sizeBytes)} bytes${delivery.purged ? ', purged' : ''}`,
            ],
            ['SHA-256', h('code', {}, delivery.sha256)],
          ),
          h(
            'p',
            { class: 'buttons' },
            delivery.purged
              ? 'Its payload is purged: it cannot be sent again.'
              : button('Send again …', () => replay(delivery, shell)),
          ),
          section(
            'Forwards',
            forwards.length === 0
              ? h('p', { class: 'empty' }, 'It was sent nowhere.')
              : forwards.map(forwardOf),
          ),
          section(
            'Headers',
            table(
              [
                { name: 'Name', show: ([name]) => h('code', {}, name) },
                { name: 'Value', show: ([, value]) => h('code', {}, value) },
              ],
              Object.entries(headers),
              'No header is kept.',
            ),
          ),
        ]
      },
    })

function forwardOf(forward: Forward): HTMLElement {
  const { url, state, cycle, attempts, maxAttempts, lastError, nextAttemptAt } = forward
  const { authorizationId: holdId } = forward
  return h(
    'article',
    {},
    h('h3', {}, h('code', {}, url), ' ', badge(state)),
    lastError !== null && note('warn', lastError),
    facts(
      cycle === 0 ? null : ['Sent again', `${cycle}. time`],
      ['Attempts', `${attempts.length} of at most ${maxAttempts}`],
      nextAttemptAt === null ? null : ['Next attempt', moment(nextAttemptAt)],
      forward.endedAt === null ? null : ['Ended', moment(forward.endedAt)],
      holdId === null ? null : ['Hold', identifier(holdId, ['calls', holdId])],
    ),
    table(
      [
        { name: 'Attempt', isNumber: true, show: ({ n }) => n },
        { name: 'Time', show: ({ at }) => moment(at) },
        { name: 'Answer', show: ({ status, error }) => String(status ?? error ?? '–') },
        { name: 'Took', isNumber: true, show: ({ ms }) => `${numberText(ms)} ms` },
        { name: 'What it said', show: ({ excerpt }) => (excerpt ? h('code', {}, excerpt) : '–') },
      ],
      attempts,
      'Not attempted yet.',
    ),
  )
}

/** The relay sends again for the key that owns a delivery and bills it, so a token of that key asks. */
function replay(delivery: DeliveryDetail, shell: Shell): void {
  const once = onceName()
  askFor({
    title: 'Send this delivery again',
    text: 'One attempt to every enabled destination. The key that paid for it, or owns the endpoint, pays the price of a replay for each destination that takes it; failures are free.',
    action: 'Send again',
    isDangerous: true,
    async submit() {
      try {
        await sendAgain(delivery, once)
      } catch (error) {
        throw isConflict(error)
          ? new InputError(
              'It cannot be sent again now: it is still being forwarded, or no destination is enabled.',
            )
          : error
      } finally {
        shell.refresh()
      }
    },
  })
}

/**
 * Sends a delivery once more, at the cost of the key that paid for it or owns its endpoint; by the same
 * `once` it is sent and paid once.
 */
export async function sendAgain(
  { id, apiKeyId, endpointId }: Pick<Delivery, 'id' | 'apiKeyId' | 'endpointId'>,
  once: string,
): Promise<void> {
  const keyId = apiKeyId ?? (await ownerOf(endpointId))
  const basePath = await relayPath()
  const { token } = await ask<{ token: string }>(`/v1/keys/${encodeURIComponent(keyId)}/jwt`, {
    method: 'POST',
  })
  await ask(`${basePath}/deliveries/${encodeURIComponent(id)}/replay`, {
    method: 'POST',
    token,
    headers: { 'idempotency-key': `${once}-${id}` },
  })
}

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409

async function ownerOf(endpointId: string): Promise<string> {
  const path = `${RELAY}/endpoints/${encodeURIComponent(endpointId)}`
  const { apiKeyId } = await ask<RelayEndpoint>(path)
  if (apiKeyId === null) {
    throw new InputError(
      'No API key owns this delivery: it was paid by x402, so nobody can be billed.',
    )
  }
  return apiKeyId
}

async function relayPath(): Promise<string> {
  const { products } = await ask<Registry>('/v1/admin/products')
  return products.find(({ plugin }) => plugin === 'webinfra')?.base_path ?? '/v1/webinfra'
}
