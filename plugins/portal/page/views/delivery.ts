/** One webhook delivery: where it went, every attempt, and sending it again. */
import { numberText } from '../../../shared/pages/amount.ts'
import { askFor, tell } from '../../../shared/pages/dialog.ts'
import { button, h } from '../../../shared/pages/dom.ts'
import { badge, copyable, facts, go, section } from '../../../shared/pages/parts.ts'
import { table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView, type Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import { askApi } from '../client.ts'
import type { RelayDelivery, RelayForward } from '../../../shared/pages/relay.ts'

interface Seen extends RelayDelivery {
  forwards: RelayForward[]
}
interface Replayed {
  replayed: boolean
  status: string
  chargedCredits: number
}

const FORWARDS: readonly Column<RelayForward>[] = [
  { name: 'To', show: ({ url }) => url },
  { name: 'State', show: ({ state }) => badge(state) },
  { name: 'Sent', show: ({ cycle }) => (cycle === 0 ? 'as it came in' : `replay ${cycle}`) },
  { name: 'Attempts', show: attemptsCell },
  { name: 'Next attempt', show: ({ nextAttemptAt }) => moment(nextAttemptAt) },
  { name: 'Ended', show: ({ endedAt }) => moment(endedAt) },
]

function attemptsCell({ attempts, lastError }: RelayForward): HTMLElement | string {
  if (attempts.length === 0) return lastError ?? 'none yet'
  return h(
    'ul',
    {},
    attempts.map(({ status, error, ms }) =>
      h('li', {}, `${status ?? error ?? 'no answer'} in ${ms} ms`),
    ),
  )
}

export const deliveryView =
  (id: string): MakeView =>
  (shell) => {
    const path = `/relay/deliveries/${encodeURIComponent(id)}`
    return view<Seen>({
      title: 'Webhook delivery',
      isLive: true,
      load: (signal) => askApi(path, { signal }),
      show: (delivery) => [
        facts(
          ['Id', copyable(delivery.id)],
          ['Came in', moment(delivery.createdAt)],
          ['State', badge(delivery.status)],
          ['Event', delivery.event ?? '–'],
          ['The sender’s id', delivery.deliveryId ?? '–'],
          ['Bytes', numberText(delivery.sizeBytes)],
          ['SHA-256', h('code', {}, delivery.sha256)],
        ),
        delivery.purged
          ? h('p', { class: 'hint' }, 'Its payload is not kept any more: it cannot be sent again.')
          : h(
              'p',
              { class: 'buttons' },
              button('Send it again …', () => replay(path, shell), { class: 'main' }),
            ),
        section('Forwards', table(FORWARDS, delivery.forwards, 'It went nowhere.')),
        h('p', {}, go('Its endpoint', ['webhooks', delivery.endpointId])),
      ],
    })
  }

function replay(path: string, shell: Shell): void {
  // A press after a lost answer is the same replay, and is paid once.
  const idempotencyKey = crypto.randomUUID()
  askFor({
    title: 'Send it again',
    text: 'To every enabled destination, once each. The endpoint’s key pays for each that takes it.',
    action: 'Send it again',
    async submit() {
      const { status, chargedCredits } = await askApi<Replayed>(`${path}/replay`, {
        method: 'POST',
        body: {},
        headers: { 'idempotency-key': idempotencyKey },
      })
      tell(
        'Sent again',
        h('p', {}, badge(status)),
        h('p', {}, `Charged: ${chargedCredits} credits.`),
      )
      shell.refresh()
    },
  })
}
