/** One call: what was asked, what it cost, and the ledger's rows of it. */
import { badge, copyable, facts, section, amount } from '../../../shared/pages/parts.ts'
import { h } from '../../../shared/pages/dom.ts'
import { table } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import { askApi } from '../client.ts'
import { credits } from '../pieces.ts'
import type { CallDetail } from '../wire.ts'

export const callView =
  (id: string): MakeView =>
  () =>
    view<CallDetail>({
      title: 'Call',
      isLive: true,
      load: (signal) => askApi(`/calls/${encodeURIComponent(id)}`, { signal }),
      show: (call) => [
        facts(
          ['Skill', call.skill],
          ['Path', h('code', {}, call.path)],
          ['Time', moment(call.at)],
          ['Outcome', badge(call.outcome)],
          ['Charged', credits(call.charged)],
          ['Held at first', credits(call.amount)],
          ['Paid by', call.rail],
          ['Key or app', copyable(call.keyId)],
          ['Request id', copyable(call.requestId)],
          call.transaction === null ? null : ['Transaction', copyable(call.transaction)],
        ),
        section(
          'Receipt: the ledger’s rows',
          table(
            [
              { name: 'Time', show: ({ at }) => moment(at) },
              { name: 'Kind', show: ({ kind }) => kind },
              {
                name: 'Amount',
                isNumber: true,
                show: ({ amountUsdcAtomic }) => amount(amountUsdcAtomic),
              },
              { name: 'From', show: ({ debit }) => sideOf(debit) },
              { name: 'To', show: ({ credit }) => sideOf(credit) },
              { name: 'Row', show: (row) => h('span', { class: 'id', title: row.id }, row.id) },
            ],
            call.entries,
            'The ledger has no rows of it.',
          ),
        ),
      ],
    })

/** The account's own side in words; its id says nothing to its owner. */
function sideOf(name: string): string {
  return /:(available|held)$/.exec(name)?.[1] ?? name
}
