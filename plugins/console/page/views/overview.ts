/** The first look: is it well, what is open, what came in, what is failing. */
import { ask } from '../api.ts'
import { atomicOf, numberText } from '../../../shared/pages/amount.ts'
import { h, type Child } from '../../../shared/pages/dom.ts'
import { amount, badge, facts, go, note, section } from '../../../shared/pages/parts.ts'
import { table } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { ageText, moment } from '../../../shared/pages/when.ts'
import type { GatewayEvent } from '../wire/accounts.ts'
import type { Metric, Overview, Ready } from '../wire/overview.ts'
import type { Registry } from '../wire/products.ts'
import { minutesChart } from './minutes-chart.ts'
import { OutcomeRates, type OutcomeRate } from './outcome-rates.ts'
import { revenueTable, totalOf } from './revenue.ts'

interface Data {
  ready: Ready
  overview: Overview
  rates: OutcomeRate[]
  problems: number
  accountsLow: number
  /** What went wrong in the gateway in the last day. */
  told: GatewayEvent[]
}

/** The rail whose open calls are holds of the prepaid ledger. */
const HOLDS_RAIL = 'credits'

export const overviewView: MakeView = () => {
  const rates = new OutcomeRates()
  return view<Data>({
    title: 'Overview',
    isLive: true,
    async load(signal) {
      const [ready, overview, metrics, { problems }, { events }] = await Promise.all([
        ask<Ready>('/ready', { signal, alsoFine: [503] }),
        ask<Overview>('/v1/admin/overview', { signal }),
        ask<Record<string, Metric | undefined>>('/metrics', { query: { format: 'json' }, signal }),
        ask<Registry>('/v1/admin/products', { signal }),
        ask<{ events: GatewayEvent[] }>('/v1/events', { query: { scope: 'gateway' }, signal }),
      ])
      return {
        ready,
        overview,
        rates: rates.next(metrics['gateway_calls_total'], Date.now()),
        problems: problems.length,
        told: events.filter(({ timestamp }) => isOfLastDay(timestamp, overview.at)),
        accountsLow: metrics['gateway_accounts_low']?.values[0]?.value ?? 0,
      }
    },
    show: ({ ready, overview, rates, problems, accountsLow, told }) => [
      problems > 0 &&
        note(
          'bad',
          `${problems} product spec${problems === 1 ? ' was' : 's were'} refused. `,
          go('See why', ['products']),
        ),
      accountsLow > 0 &&
        note(
          'warn',
          `${accountsLow} account${accountsLow === 1 ? ' is' : 's are'} below the low mark. `,
          go('See which', ['accounts'], { low: 'true' }),
        ),
      told.length > 0 &&
        note(
          'warn',
          `In the last day: ${[...new Set(told.map(({ type }) => type))].join(', ')}. `,
          go('See the events', ['accounts', 'events'], { scope: 'gateway' }),
        ),
      cards(overview),
      readiness(ready),
      section(
        'Calls of the last hour',
        overview.minutes === null
          ? note('warn', 'The ledger is large and still being counted; a later look will have it.')
          : minutesChart(overview.minutes),
      ),
      section('Revenue', revenueTable(overview.revenue)),
      section(
        'Calls by outcome',
        h('p', { class: 'hint' }, 'Of the instance that answered, since it started.'),
        table(
          [
            { name: 'Outcome', show: ({ outcome }) => outcome },
            { name: 'Calls', isNumber: true, show: ({ count }) => numberText(count) },
            {
              name: 'Per minute',
              isNumber: true,
              show: ({ perMinute }) => (perMinute === null ? '…' : numberText(perMinute)),
            },
          ],
          rates,
          'No call has come in since this instance started.',
        ),
      ),
      section('Gateway', gatewayFacts(overview)),
    ],
  })
}

function isOfLastDay(timestamp: string, now: string): boolean {
  return Date.parse(now) - Date.parse(timestamp) < 86_400_000
}

function cards({ at, holds, settlements, revenue, rails }: Overview): HTMLElement {
  const now = new Date(at)
  // Holds are the prepaid ledger's. Settlements are of any other rail: one can be filtered by.
  const [settling, ...more] = rails.map(({ id }) => id).filter((id) => id !== HOLDS_RAIL)
  const settlingRail = more.length === 0 ? settling : undefined
  const age = (oldestAt: string | null): Child =>
    oldestAt === null ? 'none open' : `oldest ${ageText(oldestAt, now)}`
  return h(
    'div',
    { class: 'cards' },
    card(
      'Open holds',
      go(numberText(holds.open), ['calls'], { outcome: 'open', rail: HOLDS_RAIL }),
      [holds.open > 0 && [amount(atomicOf(holds.usdcAtomic)), ', '], age(holds.oldestAt)],
    ),
    card(
      'Pending settlements',
      go(numberText(settlements.pending), ['calls'], {
        outcome: 'open',
        rail: settlingRail ?? null,
      }),
      [
        age(settlements.oldestAt),
        settlements.uncertain > 0 && `, ${settlements.uncertain} of unknown outcome`,
      ],
    ),
    card('Revenue today (UTC)', revenue === null ? '–' : amount(totalOf(revenue.slice(0, 1))), [
      revenue === null ? 'still being summed' : 'less refunds',
    ]),
    card('Revenue of 7 days', revenue === null ? '–' : amount(totalOf(revenue)), [
      revenue === null ? 'still being summed' : 'less refunds',
    ]),
  )
}

function card(title: string, value: Child, more: Child): HTMLElement {
  return h(
    'div',
    { class: 'card' },
    h('h2', {}, title),
    h('p', { class: 'value' }, value),
    h('p', { class: 'more' }, more),
  )
}

/** Parts that are listed although all are well: each upstream is one. */
const PARTS_SHOWN = 25

/** What is not well first. */
function readiness({ status, checks }: Ready): HTMLElement {
  const rows = Object.entries(checks).map(([name, check]) => ({ name, ...check }))
  const rank = { down: 0, degraded: 1, ok: 2 }
  rows.sort((a, b) => rank[a.state] - rank[b.state] || Number(b.critical) - Number(a.critical))
  const unwell = rows.filter(({ state }) => state !== 'ok').length
  const shown = rows.slice(0, Math.max(unwell, PARTS_SHOWN))
  const left = rows.length - shown.length
  return h(
    'section',
    {},
    h('h2', {}, 'Readiness ', badge(status)),
    table(
      [
        { name: 'Part', show: ({ name }) => name },
        { name: 'State', show: ({ state }) => badge(state) },
        { name: 'Took', isNumber: true, show: ({ latencyMs }) => `${latencyMs} ms` },
        { name: 'Needed to serve', show: ({ critical }) => (critical ? 'yes' : 'no') },
        { name: 'Detail', show: ({ detail }) => detail ?? '–' },
      ],
      shown,
      'The gateway checks nothing.',
    ),
    left > 0 &&
      h('p', { class: 'hint' }, `And ${left} other part${left === 1 ? '' : 's'}, ok as well.`),
  )
}

function gatewayFacts({
  at,
  version,
  startedAt,
  sandbox,
  rails,
  instances,
}: Overview): HTMLElement {
  return facts(
    ['Version', version],
    ['Mode', sandbox ? 'sandbox: test money only' : 'live'],
    ['Started', [moment(startedAt), `, ${ageText(startedAt, new Date(at))} ago`]],
    [
      'Rails',
      h(
        'ul',
        {},
        rails.map(({ id, open, reason }) =>
          h('li', {}, `${id} `, badge(open ? 'ok' : 'down'), reason !== null && ` ${reason}`),
        ),
      ),
    ],
    [
      `Instances (${instances.length})`,
      h(
        'ul',
        {},
        instances.map(({ address, since }) =>
          h('li', {}, address ?? 'on this machine', ', connected since ', moment(since)),
        ),
      ),
    ],
  )
}
