/** One subscription with its months. */
import { ask } from '../api.ts'
import { atomicOfCredits } from '../../../shared/pages/amount.ts'
import { button, h } from '../../../shared/pages/dom.ts'
import { askFor } from '../../../shared/pages/dialog.ts'
import { amount, badge, copyable, facts, go, section } from '../../../shared/pages/parts.ts'
import { table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView, type Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { SubscriptionFacts } from '../../../shared/plans/contract.ts'
import { monthOf } from './plans.ts'

interface Turn {
  number: number
  at: string
  outcome: 'started' | 'renewed' | 'unpaid' | 'ended'
  chargedCredits: number
  grantedCredits: number
  lapsedCredits: number
}

type Detail = SubscriptionFacts & { turns: Turn[] }

export const planView =
  (id: string): MakeView =>
  (shell) => {
    const path = `/v1/admin/plans/subscriptions/${encodeURIComponent(id)}`
    return view<Detail>({
      title: 'Plan of an account',
      isLive: true,
      load: (signal) => ask<Detail>(path, { signal }),
      show: (one) => [
        facts(
          ['Plan', one.plan],
          ['Id', copyable(one.id)],
          ['State', badge(one.state)],
          ['Account', go('the account that has it', ['accounts', one.accountId])],
          ['Bought or given with', go('this key', ['keys', one.apiKeyId])],
          ['A month', monthOf(one)],
          ['Month began', moment(one.periodStart)],
          ['Month ends', moment(one.periodEnd)],
          ['Renewed', one.endsAtPeriodEnd ? 'no: it ends with its month' : 'yes'],
          ['Begun', moment(one.createdAt)],
          one.endedAt === null ? null : ['Ended', moment(one.endedAt)],
          one.endedReason === null ? null : ['Why', one.endedReason.replaceAll('_', ' ')],
        ),
        one.state !== 'ended' &&
          !one.endsAtPeriodEnd &&
          h(
            'p',
            { class: 'buttons' },
            button('End it …', () => end(path, shell), { class: 'danger' }),
          ),
        section('Months', table(turns, one.turns, 'None yet.')),
      ],
    })
  }

const credits = (value: number): HTMLElement => amount(atomicOfCredits(value))

const turns: readonly Column<Turn>[] = [
  { name: 'Turn', isNumber: true, show: ({ number }) => String(number) },
  { name: 'When', show: ({ at }) => moment(at) },
  { name: 'What', show: ({ outcome }) => badge(outcome) },
  { name: 'Charged', isNumber: true, show: ({ chargedCredits }) => credits(chargedCredits) },
  { name: 'Given', isNumber: true, show: ({ grantedCredits }) => credits(grantedCredits) },
  { name: 'Lapsed', isNumber: true, show: ({ lapsedCredits }) => credits(lapsedCredits) },
]

function end(path: string, shell: Shell): void {
  askFor({
    title: 'End this plan',
    text: 'It goes on until its month is over and is not renewed.',
    action: 'End it with its month',
    isDangerous: true,
    async submit() {
      await ask(path, { method: 'DELETE' })
      shell.refresh()
    },
  })
}
