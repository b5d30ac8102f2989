/** Plans: the one of the account and its months, those that there are, beginning one and ending it. */
import { atomicOfCredits, numberText } from '../../../shared/pages/amount.ts'
import { askFor } from '../../../shared/pages/dialog.ts'
import { button, h, type Child } from '../../../shared/pages/dom.ts'
import { amount, badge, facts, go, note, section } from '../../../shared/pages/parts.ts'
import { table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView, type Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import { askApi } from '../client.ts'
import type { Me, Plan, Plans, Subscription } from '../wire.ts'

interface Data extends Plans {
  me: Me
}

export const planView: MakeView = (shell) =>
  view<Data>({
    title: 'Plan',
    isLive: false,
    async load(signal) {
      const [me, plans] = await Promise.all([
        askApi<Me>('/me', { signal }),
        askApi<Plans>('/plan', { signal }),
      ])
      return { me, ...plans }
    },
    show: ({ me, plans, subscription }) => [
      subscription && own(subscription, plans, me, shell),
      section(
        'Plans',
        table(
          columns(me, subscription, shell),
          plans,
          'There are no plans here: calls cost what the list of prices says.',
        ),
        me.role !== 'owner' &&
          note(
            'quiet',
            'This session’s key has a budget: an owner of the account changes its plan.',
          ),
      ),
    ],
  })

function own(
  subscription: Subscription,
  plans: readonly Plan[],
  me: Me,
  shell: Shell,
): HTMLElement {
  const { state, given, monthCredits, periodStart, periodEnd, endsAtPeriodEnd } = subscription
  const plan = plans.find((one) => one.plan === subscription.plan)
  const title = plan?.title ?? subscription.plan
  const isUnpaid = state === 'past_due'
  return section(
    `This account has ${title}`,
    isUnpaid &&
      note(
        'warn',
        'The balance did not cover the month: the plan’s prices and free calls rest until it does. ',
        go('Buy credits', ['buy']),
      ),
    facts(
      ['State', badge(state)],
      ['A month costs', given ? 'nothing: the operator gave it' : creditsOf(monthCredits)],
      ...(isUnpaid
        ? [
            ['Unpaid since', moment(periodEnd)] as const,
            plan ? (['Ends unless paid by', moment(graceEnd(periodEnd, plan))] as const) : null,
          ]
        : [
            ['This month began', moment(periodStart)] as const,
            [endsAtPeriodEnd ? 'Ends for good' : 'Next month', moment(periodEnd)] as const,
          ]),
    ),
    me.role === 'owner' && h('p', { class: 'buttons' }, change()),
  )

  function change(): Child {
    if (!endsAtPeriodEnd)
      return button('End it …', () => end(title, isUnpaid, shell), { class: 'danger' })
    const isForSale = plan !== undefined && plan.credits !== null
    return !given && isForSale && button('Go on with it …', () => goOn(plan, shell))
  }
}

function columns(me: Me, subscription: Subscription | null, shell: Shell): Column<Plan>[] {
  return [
    {
      name: 'Plan',
      show: ({ title, description }) => [
        title,
        description !== '' && h('small', {}, ` ${description}`),
      ],
    },
    {
      name: 'A month',
      isNumber: true,
      show: ({ credits }) => (credits === null ? 'on request' : creditsOf(credits)),
    },
    {
      name: 'Credits in it',
      isNumber: true,
      show: ({ monthlyCredits, rollover }) =>
        h(
          'span',
          {},
          creditsOf(monthlyCredits),
          monthlyCredits > 0 && h('small', {}, rollover ? ' that stay' : ' for the month'),
        ),
    },
    { name: 'Calls a minute', isNumber: true, show: pace },
    { name: 'Free calls', show: ({ free }) => list(free.map(freeText)) },
    { name: 'Prices', show: ({ prices }) => list(prices.map(priceText)) },
    {
      name: 'Begin',
      show: (plan) => {
        if (plan.plan === subscription?.plan) return badge('yours')
        if (plan.credits === null || subscription !== null || me.role !== 'owner') return null
        return button('Begin …', () => begin(plan, shell), { class: 'small' })
      },
    },
  ]
}

function begin(plan: Plan, shell: Shell): void {
  askFor({
    title: `Begin ${plan.title}`,
    text: `${plan.credits} credits are taken from the balance now and each month, and never more than the balance has. It can be ended at any time, with its month.`,
    action: 'Begin',
    async submit() {
      await askApi('/plan', { method: 'POST', body: { plan: plan.plan } })
      shell.refresh()
    },
  })
}

function goOn(plan: Plan, shell: Shell): void {
  askFor({
    title: `Go on with ${plan.title}`,
    text: `It does not end with its month. From then on ${plan.credits} credits are taken from the balance each month, and nothing now.`,
    action: 'Go on with it',
    async submit() {
      await askApi('/plan', { method: 'POST', body: { plan: plan.plan } })
      shell.refresh()
    },
  })
}

function end(title: string, isUnpaid: boolean, shell: Shell): void {
  askFor({
    title: `End ${title}`,
    text: isUnpaid
      ? 'Its month is unpaid: it ends now.'
      : 'It goes on until its month is over and is not renewed.',
    action: isUnpaid ? 'End it' : 'End it with its month',
    isDangerous: true,
    async submit() {
      await askApi('/plan', { method: 'DELETE' })
      shell.refresh()
    },
  })
}

const creditsOf = (credits: number): HTMLElement => amount(atomicOfCredits(credits))

const DAY_MS = 86_400_000

/** Until when an unpaid month is tried. */
function graceEnd(periodEnd: string, { graceDays }: Plan): string {
  return new Date(Date.parse(periodEnd) + graceDays * DAY_MS).toISOString()
}

/** How often each key may call that has no limit of its own; a plan may also slow keys down. */
function pace({ limits }: Plan): Child {
  if (limits === null) return h('span', { class: 'none' }, '–')
  return h(
    'span',
    {},
    numberText(limits.rpm),
    h('small', {}, ` ${numberText(limits.burst)} at once`),
  )
}

function list(texts: readonly string[]): Child {
  if (texts.length === 0) return h('span', { class: 'none' }, '–')
  return h(
    'ul',
    {},
    texts.map((text) => h('li', {}, text)),
  )
}

const freeText = ({ skill, calls, period }: Plan['free'][number]): string =>
  `${skill}: ${calls} a ${period}`

function priceText({ skill, credits, per, max }: Plan['prices'][number]): string {
  const parts = [
    ...(credits === null ? [] : [`${credits}`]),
    ...Object.entries(per).map(([unit, one]) => `${one} per ${unit}`),
    ...(max === null ? [] : [`at most ${max}`]),
  ]
  return `${skill}: ${parts.join(', ')}`
}
