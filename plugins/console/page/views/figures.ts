/** Calls, errors, durations and revenue of an hour, a day, a week or a month. */
import { ask } from '../api.ts'
import type { Cell } from '../../../shared/csv.ts'
import { atomicOf, numberText } from '../../../shared/pages/amount.ts'
import { h, type Child } from '../../../shared/pages/dom.ts'
import { amount, go, note, section } from '../../../shared/pages/parts.ts'
import { table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import type { Figures, FiguresEarned, FiguresSkill } from '../wire/overview.ts'
import { bars } from './bars.ts'
import { csvButton } from './csv.ts'

const WINDOWS: readonly [name: string, title: string][] = [
  ['1h', 'Last hour'],
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
]
const MODES: readonly [name: string, title: string][] = [
  ['', 'Test and live'],
  ['live', 'Live'],
  ['test', 'Test'],
]
const PER_USD = 1_000_000

export const figuresView: MakeView = ({ place }) => {
  const window = place.query['window'] ?? '24h'
  const mode = place.query['mode'] ?? ''
  const choices = (
    label: string,
    list: readonly [string, string][],
    chosen: string,
    queryOf: (name: string) => Record<string, string>,
  ): HTMLElement =>
    h(
      'nav',
      { class: 'choices', 'aria-label': label },
      list.map(([name, title]) =>
        name === chosen
          ? h('a', { href: '#/figures', 'aria-current': 'true', class: 'chosen' }, title)
          : go(title, ['figures'], queryOf(name)),
      ),
    )
  const controls = h('div', {}, [
    choices('Span of time', WINDOWS, window, (name) => ({ window: name, mode })),
    choices('Mode', MODES, mode, (name) => ({ window, mode: name })),
  ])
  // The link of what is chosen leads to where the page is.
  for (const link of controls.querySelectorAll('a.chosen'))
    link.setAttribute('href', location.hash || '#/figures')
  return view<Figures>({
    title: 'Figures',
    isLive: true,
    controls,
    load: (signal) => ask<Figures>('/v1/admin/figures', { query: { window, mode }, signal }),
    show: (figures) => [
      figures.missingHours > 0 &&
        note('warn', `The revenue of ${figures.missingHours} hours is still being summed.`),
      cards(figures),
      section(
        'Calls',
        bars(
          'Calls',
          figures.steps,
          [
            { kind: 'charged', title: 'answered', valueOf: ({ answered }) => answered },
            { kind: 'unpaid', title: 'unpaid (402)', valueOf: ({ unpaid }) => unpaid },
            { kind: 'refused', title: 'refused', valueOf: ({ refused }) => refused },
            { kind: 'uncharged', title: 'failed (5xx)', valueOf: ({ failed }) => failed },
          ],
          { format: counted, stepSeconds: figures.stepSeconds },
        ),
      ),
      section(
        'Revenue',
        bars(
          'Revenue',
          figures.steps,
          [{ kind: 'charged', title: 'less refunds', valueOf: (step) => dollars(step.usdcAtomic) }],
          { format: dollarText, stepSeconds: figures.stepSeconds },
        ),
      ),
      skills(figures),
      earnings('Revenue by skill', 'Skill', figures.earnings.skills, ({ name }) => name),
      earnings('Revenue by rail', 'Rail', figures.earnings.rails, ({ name }) => name),
      earnings('Revenue by key', 'Key', figures.earnings.keys, ({ name, id }) =>
        id === null ? name : go(name, ['keys', id]),
      ),
    ],
  })
}

function cards({ skills, earnings }: Figures): HTMLElement {
  const paid = skills.filter(({ skill }) => skill !== '')
  const sum = (of: 'calls' | 'failed' | 'unpaid' | 'refused'): number =>
    paid.reduce((total, skill) => total + skill[of], 0)
  const atomic = (of: 'usdcAtomic' | 'refundedUsdcAtomic'): bigint =>
    earnings.rails.reduce((total, rail) => total + atomicOf(rail[of]), 0n)
  const share = sum('calls') === 0 ? 0 : (100 * sum('failed')) / sum('calls')
  const card = (title: string, value: Child, more: Child): HTMLElement =>
    h(
      'div',
      { class: 'card' },
      h('h2', {}, title),
      h('p', { class: 'value' }, value),
      h('p', { class: 'more' }, more),
    )
  return h(
    'div',
    { class: 'cards' },
    card('Calls of skills', counted(sum('calls')), `${counted(sum('unpaid'))} were not paid`),
    card('Failed (5xx)', counted(sum('failed')), `${share.toFixed(2)} % of all calls`),
    card('Refused', counted(sum('refused')), 'with 400, 401, 403, 429 and others'),
    card('Revenue', amount(atomic('usdcAtomic') - atomic('refundedUsdcAtomic')), 'less refunds'),
  )
}

const skillColumns: readonly Column<FiguresSkill>[] = [
  {
    name: 'Skill',
    show: ({ skill }) => (skill === '' ? 'no skill' : go(skill, ['requests'], { skill })),
  },
  { name: 'Mode', show: ({ mode }) => mode },
  { name: 'Calls', isNumber: true, show: ({ calls }) => counted(calls) },
  { name: 'Unpaid', isNumber: true, show: ({ unpaid }) => counted(unpaid) },
  { name: 'Refused', isNumber: true, show: ({ refused }) => counted(refused) },
  { name: 'Failed', isNumber: true, show: ({ failed }) => counted(failed) },
  { name: 'p50', isNumber: true, show: ({ p50Ms }) => durationText(p50Ms) },
  { name: 'p95', isNumber: true, show: ({ p95Ms }) => durationText(p95Ms) },
  { name: 'Only counted', isNumber: true, show: ({ notKept }) => counted(notKept) },
]

function skills(figures: Figures): HTMLElement {
  const rows: Cell[][] = figures.skills.map((one) => [
    one.skill,
    one.mode,
    one.calls,
    one.unpaid,
    one.refused,
    one.failed,
    one.p50Ms,
    one.p95Ms,
    one.notKept,
  ])
  const names = 'skill,mode,calls,unpaid,refused,failed,p50_ms,p95_ms,only_counted'.split(',')
  return section(
    'Skills',
    h(
      'p',
      { class: 'hint' },
      'p50 and p95 are of answers below 400, to a factor of 1.4. Only counted: more came at once than are written down. ',
      csvButton('Skills', [names, ...rows]),
    ),
    table(skillColumns, figures.skills, 'Nothing was asked in this time.'),
  )
}

function earnings(
  title: string,
  column: string,
  rows: readonly FiguresEarned[],
  show: (row: FiguresEarned) => Child,
): HTMLElement {
  const columns: readonly Column<FiguresEarned>[] = [
    { name: column, show },
    { name: 'Mode', show: ({ mode }) => mode },
    { name: 'Charged calls', isNumber: true, show: ({ calls }) => counted(calls) },
    { name: 'Charged', isNumber: true, show: ({ usdcAtomic }) => amount(usdcAtomic) },
    {
      name: 'Refunded',
      isNumber: true,
      show: ({ refundedUsdcAtomic }) => amount(refundedUsdcAtomic),
    },
  ]
  const cells: Cell[][] = rows.map((row) => [
    row.name,
    row.id,
    row.mode,
    row.calls,
    row.usdcAtomic,
    row.refundedUsdcAtomic,
  ])
  const names = 'name,id,mode,calls,charged_usdc_atomic,refunded_usdc_atomic'.split(',')
  return section(
    title,
    rows.length > 0 && h('p', { class: 'hint' }, csvButton(title, [names, ...cells])),
    table(columns, rows, 'Nothing came in.'),
  )
}

function counted(value: number): string {
  return numberText(value)
}

function dollars(usdcAtomic: string): number {
  return Number(usdcAtomic) / PER_USD
}

function dollarText(value: number): string {
  const digits = value !== 0 && Math.abs(value) < 0.1 ? 4 : 2
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return `${value < 0 ? '-' : ''}$${Math.abs(value).toLocaleString('en', fraction)}`
}

export function durationText(ms: number | null): string {
  if (ms === null) return '–'
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`
  return ms >= 100 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`
}
