/** Webhook endpoints of the account's keys. */
import { InputError } from '../../../shared/pages/api.ts'
import { askFor } from '../../../shared/pages/dialog.ts'
import { h } from '../../../shared/pages/dom.ts'
import { action, badge, go, identifier } from '../../../shared/pages/parts.ts'
import { endpointFields, endpointOf, tellMade } from '../../../shared/pages/relay-changes.ts'
import type { RelayEndpoint } from '../../../shared/pages/relay.ts'
import { pages, table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView, type Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import { askApi } from '../client.ts'
import type { Key, Me } from '../wire.ts'

interface Page {
  endpoints: RelayEndpoint[]
  nextCursor: string | null
  isOwner: boolean
}

const COLUMNS: readonly Column<RelayEndpoint>[] = [
  { name: 'Name', show: ({ name, id }) => go(name, ['webhooks', id]) },
  { name: 'State', show: ({ status }) => badge(status) },
  { name: 'Senders sign by', show: ({ verification }) => verification.scheme },
  {
    name: 'Destinations',
    isNumber: true,
    show: ({ destinations }) => destinations.length,
  },
  { name: 'Paid by', show: ({ apiKeyId }) => identifier(apiKeyId, ['keys', apiKeyId ?? '']) },
  { name: 'Made', show: ({ createdAt }) => moment(createdAt) },
]

export const webhooksView: MakeView = (shell) => {
  const { place } = shell
  const cursor = place.query['cursor']
  return view<Page>({
    title: 'Webhooks',
    isLive: cursor === undefined,
    async load(signal) {
      const [found, me] = await Promise.all([
        askApi<Page>('/relay/endpoints', { query: { cursor }, signal }),
        askApi<Me>('/me', { signal }),
      ])
      return { ...found, isOwner: me.role === 'owner' }
    },
    show: (page) => [
      h(
        'p',
        { class: 'hint' },
        'An endpoint takes webhooks, keeps each, and forwards it until every destination has it. A forward that succeeds costs its price; retries and failures cost nothing.',
      ),
      page.isOwner &&
        h(
          'p',
          { class: 'buttons' },
          action('New endpoint …', () => make(shell), 'main'),
        ),
      table(COLUMNS, page.endpoints, 'There is no endpoint yet.'),
      pages(place, page.nextCursor),
    ],
  })
}

/** So many keys are offered, the newest ones. */
const OFFERED_KEYS = 200

/** Ids of keys that can pay, by what the dialog shows of them; they may be behind pages of revoked ones. */
async function payingKeys(): Promise<Map<string, string>> {
  const byLabel = new Map<string, string>()
  let cursor: string | null = null
  do {
    const page: { keys: Key[]; nextCursor: string | null } = await askApi('/keys', {
      query: { cursor },
    })
    for (const { name, id, revokedAt } of page.keys)
      if (revokedAt === null) byLabel.set(`${name} (${id})`, id)
    cursor = page.nextCursor
  } while (cursor !== null && byLabel.size < OFFERED_KEYS)
  return byLabel
}

async function make(shell: Shell): Promise<void> {
  const byLabel = await payingKeys()
  if (byLabel.size === 0) throw new InputError('Make a key first: it pays for what is forwarded.')
  askFor({
    title: 'New endpoint',
    fields: endpointFields({ name: 'key', label: 'Key that pays', options: [...byLabel.keys()] }),
    action: 'Make the endpoint',
    async submit({ key = '', ...values }) {
      const made = await askApi<RelayEndpoint>('/relay/endpoints', {
        method: 'POST',
        body: endpointOf(values, byLabel.get(key)),
      })
      tellMade(made)
      shell.refresh()
    },
  })
}
