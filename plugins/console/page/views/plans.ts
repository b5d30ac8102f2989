/** Who has which plan, newest first; giving one to the account of a key, and ending one. */
import { ask } from '../api.ts'
import { ApiError } from '../../../shared/pages/api.ts'
import { atomicOfCredits } from '../../../shared/pages/amount.ts'
import { button, h } from '../../../shared/pages/dom.ts'
import { askFor } from '../../../shared/pages/dialog.ts'
import { amount, badge, go, identifier } from '../../../shared/pages/parts.ts'
import { pages, table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView, type Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { PlanFacts, SubscriptionFacts } from '../../../shared/plans/contract.ts'

interface Data {
  plans: PlanFacts[]
  subscriptions: SubscriptionFacts[]
  next: string | null
}

const ADMIN = '/v1/admin/plans/subscriptions'

export const plansView: MakeView = (shell) => {
  const { place } = shell
  const { cursor: before } = place.query
  return view<Data>({
    title: 'Plans',
    isLive: before === undefined,
    async load(signal) {
      const plans = await ask<Pick<Data, 'plans'>>('/v1/plans', { signal }).catch(notLoaded)
      if (plans === null) return { plans: [], subscriptions: [], next: null }
      const query = { limit: 50, before }
      return { ...plans, ...(await ask<Omit<Data, 'plans'>>(ADMIN, { query, signal })) }
    },
    show: ({ plans, subscriptions, next }) => [
      plans.length === 0
        ? h(
            'p',
            { class: 'empty' },
            'No product sells plans. Copy products/examples/plans.yaml into the folder of products to offer some.',
          )
        : h(
            'p',
            { class: 'buttons' },
            button('Give a plan …', () => give(plans, shell), { class: 'main' }),
          ),
      table(columns, subscriptions, 'No account has a plan.'),
      pages(place, next),
    ],
  })
}

const columns: readonly Column<SubscriptionFacts>[] = [
  { name: 'Plan', show: ({ plan, id }) => go(plan, ['plans', id]) },
  { name: 'Account', show: ({ accountId }) => identifier(accountId, ['accounts', accountId]) },
  { name: 'State', show: ({ state }) => badge(state) },
  { name: 'A month', isNumber: true, show: monthOf },
  { name: 'Month ends', show: ({ periodEnd }) => moment(periodEnd) },
  { name: 'Renewed', show: ({ endsAtPeriodEnd }) => (endsAtPeriodEnd ? 'no' : 'yes') },
  { name: 'Begun', show: ({ createdAt }) => moment(createdAt) },
]

/** What a month costs at most, in words where it costs nothing. */
export function monthOf({ given, monthCredits }: SubscriptionFacts): HTMLElement | string {
  return given ? 'given' : amount(atomicOfCredits(monthCredits))
}

/** A gateway without a product of plans has no such route. */
function notLoaded(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}

function give(plans: readonly PlanFacts[], shell: Shell): void {
  askFor({
    title: 'Give a plan',
    fields: [
      { name: 'plan', label: 'Plan', options: plans.map(({ plan }) => plan) },
      { name: 'apiKeyId', label: 'A key of the account', required: true, hint: 'Its id' },
      { name: 'months', label: 'Its months are', options: ['given', 'charged to the balance'] },
    ],
    action: 'Begin it',
    async submit({ plan, apiKeyId, months }) {
      await ask(ADMIN, {
        method: 'POST',
        body: { plan, apiKeyId, charge: months !== 'given' },
      })
      shell.refresh()
    },
  })
}
