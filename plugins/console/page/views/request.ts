/** One request with all that is known of it, and what else has its id. */
import { numberText } from '../../../shared/pages/amount.ts'
import { ask } from '../api.ts'
import { h, type Child } from '../../../shared/pages/dom.ts'
import { amount, copyable, facts, go, note, section } from '../../../shared/pages/parts.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { Answered, Call } from '../wire/calls.ts'
import type { ChangeRow } from '../wire/operators.ts'
import { changeTable } from './changes.ts'
import { durationText } from './figures.ts'
import { statusBadge, type RequestsPage } from './requests.ts'

interface Data {
  requests: Answered[]
  calls: Call[]
  changes: ChangeRow[]
}

export const requestView =
  (requestId: string): MakeView =>
  () =>
    view<Data>({
      title: 'Request',
      isLive: true,
      async load(signal) {
        const query = { requestId }
        const [{ requests }, { calls }, { changes }] = await Promise.all([
          ask<RequestsPage>('/v1/admin/requests', { query, signal }),
          ask<{ calls: Call[] }>('/v1/admin/calls', { query, signal }),
          ask<{ changes: ChangeRow[] }>('/v1/admin/changes', { query, signal }),
        ])
        return { requests, calls, changes }
      },
      show: ({ requests, calls, changes }) => [
        requests.length === 0 &&
          note(
            'quiet',
            'No request with this id is kept: it is older than REQUEST_LOG_RETENTION, was one of too many at once, or never came.',
          ),
        requests.map(one),
        calls.length > 0 &&
          section(
            'What was paid',
            h(
              'ul',
              {},
              calls.map(({ id, skill, rail, outcome }) =>
                h('li', {}, go(`${skill} by ${rail}: ${outcome}`, ['calls', id])),
              ),
            ),
          ),
        changes.length > 0 && section('What it changed', changeTable(changes)),
        h('p', { class: 'buttons' }, go('Ledger rows of this request', ['ledger'], { requestId })),
      ],
    })

function one(row: Answered): HTMLElement {
  return h(
    'article',
    {},
    facts(
      ['Status', [statusBadge(row.status), row.outcome && ` ${row.outcome}`]],
      row.code === null ? null : ['Code', row.code],
      row.reason === null ? null : ['Reason', go(row.reason, ['requests'], { code: row.reason })],
      row.message === null ? null : ['Message', row.message],
      row.upstreamStatus === null ? null : ['Upstream status', String(row.upstreamStatus)],
      ['At', moment(row.at)],
      ['Took', durationText(row.ms)],
      ['Request id', copyable(row.requestId)],
      ['Path', h('code', {}, `${row.method} ${row.path}`)],
      row.skill === null ? null : ['Skill', go(row.skill, ['requests'], { skill: row.skill })],
      row.product === null ? null : ['Product', go(row.product, ['products', row.product])],
      row.apiKeyId === null
        ? null
        : ['Key', [go(row.apiKeyName ?? row.apiKeyId, ['keys', row.apiKeyId]), ` (${row.mode})`]],
      row.accountId === null ? null : ['Account', go(row.accountId, ['accounts', row.accountId])],
      row.payer === null ? null : ['Wallet', copyable(row.payer)],
      row.operator === null ? null : ['Operator', row.operator],
      ['Address', go(row.address, ['requests'], { address: row.address })],
      row.rail === null ? null : ['Rail', row.rail],
      ['Charged', amount(row.chargedUsdcAtomic)],
      ['Sizes', sizesOf(row)],
    ),
  )
}

function sizesOf({ requestBytes, responseBytes }: Answered): Child {
  const text = (bytes: number | null): string =>
    bytes === null ? 'unknown' : `${numberText(bytes)} bytes`
  return `${text(requestBytes)} in, ${text(responseBytes)} out`
}
