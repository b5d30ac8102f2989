/** Small pieces that many views show: amounts, states, ids, notes, lists of facts. */
import { atomicOf, creditsText, usdText } from './amount.ts'
import { button, h, listening, type Child } from './dom.ts'
import { ApiError, InputError } from './api.ts'
import { switchedOff } from './focus.ts'
import { GivenUp } from './give-up.ts'
import { hrefOf } from './place.ts'

/** Credits with dollars below; '–' for null. */
export function amount(value: bigint | number | string | null): HTMLElement {
  if (value === null) return h('span', { class: 'none' }, '–')
  const atomic = typeof value === 'bigint' ? value : atomicOf(value)
  return h('span', { class: 'amount' }, creditsText(atomic), h('small', {}, usdText(atomic)))
}

export type Tone = 'good' | 'warn' | 'bad' | 'quiet'
const TONES: Readonly<Record<string, Tone>> = {
  ok: 'good',
  ready: 'good',
  charged: 'good',
  succeeded: 'good',
  forwarded: 'good',
  enabled: 'good',
  active: 'good',
  renewed: 'good',
  delivered: 'good',
  credited: 'good',
  low: 'warn',
  past_due: 'warn',
  near: 'warn',
  open: 'warn',
  degraded: 'warn',
  retrying: 'warn',
  partial: 'warn',
  accepted: 'warn',
  awaiting_funds: 'warn',
  pending: 'warn',
  in_flight: 'warn',
  down: 'bad',
  failed: 'bad',
  unavailable: 'bad',
  unpaid: 'bad',
  stopping: 'bad',
  uncharged: 'bad',
  dead: 'bad',
  blocked_destination: 'bad',
  revoked: 'bad',
  expired: 'bad',
  used_up: 'bad',
  given_up: 'bad',
  closed: 'bad',
}

/** A state in its own word; the tone only repeats it in colour. */
export function badge(state: string, title?: string): HTMLElement {
  return h('span', { class: `badge ${TONES[state] ?? 'quiet'}`, title }, state.replaceAll('_', ' '))
}

/** An id shortened in the middle to be read, in full on hover; with a `path` a link. */
export function identifier(
  id: string | null,
  path?: readonly string[],
  query?: Record<string, string | null>,
): HTMLElement {
  if (id === null) return h('span', { class: 'none' }, '–')
  const text = id.length > 21 ? `${id.slice(0, 10)}…${id.slice(-8)}` : id
  return path
    ? h('a', { class: 'id', href: hrefOf(path, query), title: id }, text)
    : h('span', { class: 'id', title: id }, text)
}

/** A link to another place. */
export function go(
  text: Child,
  path: readonly string[],
  query?: Record<string, string | null>,
): HTMLElement {
  return h('a', { href: hrefOf(path, query) }, text)
}

/** The whole id, with a button that copies it. */
export function copyable(text: string): HTMLElement {
  const copy = button('Copy', () => void copied(), { class: 'small' })
  async function copied(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      copy.textContent = 'Copied'
    } catch {
      // Without the clipboard (plain http) the text is marked, for Ctrl-C.
      getSelection()?.selectAllChildren(whole)
      copy.textContent = 'Marked: press Ctrl-C'
    }
  }
  const whole = h('code', {}, text)
  return h('span', { class: 'copyable' }, whole, ' ', copy)
}

export type Fact = readonly [name: string, value: Child] | null

/** Names and values below each other. */
export function facts(...list: Fact[]): HTMLElement {
  const shown = list.filter((fact) => fact !== null)
  return h(
    'dl',
    {},
    shown.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  )
}

export function section(title: string, ...children: Child[]): HTMLElement {
  return h('section', {}, h('h2', {}, title), children)
}

/**
 * What went wrong, in words, with the request id for whoever looks into the log. After the end of the
 * session nothing leads away from what somebody has typed: another tab is for signing in. `labels` are
 * the fields of a form by their names in the API, which its answer points to.
 */
export function problem(
  error: unknown,
  labels: Readonly<Record<string, string>> = {},
): HTMLElement {
  if (error instanceof GivenUp) return note('quiet', error.message)
  const requestId = error instanceof ApiError ? error.requestId : null
  const isSignedOut = error instanceof ApiError && error.isSignedOut
  return h(
    'div',
    { class: 'note bad', role: 'alert' },
    messageOf(error).replace(/^Invalid input: \/(\w+)(?= )/, (all, name) => labels[name] ?? all),
    isSignedOut &&
      h(
        'div',
        {},
        h('a', { href: hrefOf([]), target: '_blank', rel: 'noopener' }, 'Sign in in another tab'),
        ', then do it again here.',
      ),
    requestId && h('small', {}, `request id ${requestId}`),
  )
}

export function messageOf(error: unknown): string {
  if (error instanceof ApiError || error instanceof InputError) return error.message
  return `This page failed: ${error instanceof Error ? error.message : String(error)}`
}

export function note(tone: Tone, ...children: Child[]): HTMLElement {
  return h('div', { class: `note ${tone}` }, children)
}

/** A button for something that takes time: off while it runs, its failure is shown beside it. */
export function action(text: string, work: () => Promise<void>, kind = ''): HTMLElement {
  const place = h('span', { class: 'action' })
  const pressed = listening(h('button', { type: 'button', class: kind }, text), {
    click: () => void switchedOff([pressed], run),
  })
  async function run(): Promise<void> {
    place.replaceChildren(pressed)
    try {
      await work()
    } catch (error) {
      place.append(problem(error))
    }
  }
  place.append(pressed)
  return place
}
