/** One webhook endpoint: what it verifies, where it sends to, and changing both. */
import { numberText } from '../../../shared/pages/amount.ts'
import { ask } from '../api.ts'
import { button, h } from '../../../shared/pages/dom.ts'
import { badge, copyable, facts, go, identifier, section } from '../../../shared/pages/parts.ts'
import {
  addDestination,
  destinationColumns,
  endpointButtons,
  pauseHint,
} from '../../../shared/pages/relay-changes.ts'
import { secretCell, type RelayEndpoint } from '../../../shared/pages/relay.ts'
import { table } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import { notMounted, orNotMounted, RELAY } from './relay.ts'

export const endpointView =
  (id: string): MakeView =>
  (shell) => {
    const path = `${RELAY}/endpoints/${encodeURIComponent(id)}`
    const desk = { ask, path, by: 'operator', shell } as const
    return view<RelayEndpoint | null>({
      title: 'Webhook endpoint',
      isLive: true,
      load: (signal) => orNotMounted(ask<RelayEndpoint>(path, { signal }), true),
      show(endpoint) {
        if (endpoint === null) return notMounted()
        const { name, verification, apiKeyId } = endpoint
        return [
          facts(
            ['Name', name],
            ['Id', copyable(endpoint.id)],
            ['State', [badge(endpoint.status), pausedNote(endpoint)]],
            ['Senders post to', copyable(endpoint.ingressUrl)],
            ['Senders sign by', verification.scheme],
            verification.header === undefined
              ? null
              : ['In the header', h('code', {}, verification.header)],
            ['Secret', secretCell(verification.secrets)],
            ['Owner', apiKeyId === null ? 'nobody' : identifier(apiKeyId, ['keys', apiKeyId])],
            ['Attempts at most', String(endpoint.maxAttempts)],
            ['Time for one attempt', `${numberText(endpoint.timeoutMs)} ms`],
            ['Made', moment(endpoint.createdAt)],
          ),
          pauseHint(endpoint),
          endpointButtons(endpoint, desk),
          section(
            'Destinations',
            table(
              destinationColumns(desk),
              endpoint.destinations,
              'What comes in is kept and forwarded nowhere.',
            ),
            h(
              'p',
              { class: 'buttons' },
              button('Add a destination …', () => addDestination(desk)),
            ),
          ),
          h(
            'p',
            { class: 'buttons' },
            go('Its deliveries', ['webhooks'], { endpointId: id }),
            go('Those that failed', ['webhooks'], { endpointId: id, status: 'failed' }),
            go('All endpoints', ['webhooks', 'endpoints']),
          ),
        ]
      },
    })
  }

function pausedNote({ status, disabledBy }: RelayEndpoint): string {
  return status === 'disabled' && disabledBy !== null ? ` by the ${disabledBy}` : ''
}
