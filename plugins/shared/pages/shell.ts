/**
 * The frame around the views: tabs, sign-out, and the refresh. A view is fetched again every 10
 * seconds while the page can be seen, unless it is paused, a dialog is open or text is marked.
 */
import { ApiError } from './api.ts'
import { append, button, h, listening, type Child } from './dom.ts'
import { closeQuestions, isDialogOpen } from './dialog.ts'
import { focusMark, keepOpened } from './focus.ts'
import { messageOf, note, problem } from './parts.ts'
import { here, hrefOf } from './place.ts'
import type { MakeView, View } from './view.ts'

const REFRESH_MS = 10_000

export interface Tab {
  path: string
  title: string
}

export interface Frame {
  /** What the first link says. */
  brand: Child
  /** Stands in the window's title behind that of the view: 'Coinop console'. */
  title: string
  /** Names the tabs to who cannot see them. */
  label: string
  tabs: readonly Tab[]
  viewAt(path: readonly string[]): MakeView | null
  /** Throws what the gateway refused or left unanswered. */
  signOut(): Promise<void>
  /** The session is over; the frame has stopped. */
  signedOut(why: string | null): void
}

/** Runs the views in `parent` until the session ends. */
export function runShell(parent: HTMLElement, frame: Frame): void {
  const { tabs, viewAt, signedOut } = frame
  const stopped = new AbortController()
  const { signal } = stopped
  const nav = h('nav', { 'aria-label': frame.label })
  const controls = h('div', { class: 'controls' })
  const region = h('div', { class: 'data', 'aria-busy': 'true' })
  const heading = h('h1', { tabindex: -1 })
  const fresh = h('span', { class: 'fresh' })
  const stillIn = h('div', { 'aria-live': 'assertive' })
  const pause = h('input', { type: 'checkbox', id: 'live', checked: true })
  let current: { view: View; abort: AbortController; shown: string | null } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const leave = (why: string | null): void => {
    // Signing out and a load that was refused may both come.
    if (signal.aborted) return
    stopped.abort()
    current?.abort.abort()
    clearTimeout(timer)
    signedOut(why)
  }

  function start(): void {
    const place = here()
    current?.abort.abort()
    controls.replaceChildren()
    region.replaceChildren(h('p', { class: 'empty' }, 'Loading …'))
    nav.replaceChildren(
      ...tabs.map(({ path, title }) => {
        const isHere = (place.path[0] ?? '') === path
        const href = hrefOf(path === '' ? [] : [path])
        return h('a', { href, 'aria-current': isHere ? 'page' : null }, title)
      }),
    )
    const make = viewAt(place.path)
    if (!make) {
      heading.textContent = 'Nothing here'
      document.title = `Nothing here · ${frame.title}`
      region.replaceChildren(h('p', { class: 'empty' }, 'There is no such page.'))
      current = null
      return
    }
    const view = make({ place, refresh: () => void load(true) })
    document.title = `${view.title} · ${frame.title}`
    heading.textContent = view.title
    append(controls, [view.controls ?? null])
    current = { view, abort: new AbortController(), shown: null }
    void load(true)
  }

  async function load(isAsked: boolean): Promise<void> {
    clearTimeout(timer)
    const running = current
    if (running === null || signal.aborted) return
    const isPaused = document.hidden || isDialogOpen() || isMarking() || !pause.checked
    if (isAsked || (!isPaused && running.view.isLive)) {
      // A newer look must not be overwritten by an older one that took longer.
      running.abort.abort()
      const abort = new AbortController()
      running.abort = abort
      region.setAttribute('aria-busy', 'true')
      try {
        const data = await running.view.load(abort.signal)
        if (running !== current || abort.signal.aborted) return
        render(running, data)
        fresh.textContent = `as of ${new Date().toLocaleTimeString()}`
      } catch (error) {
        if (running !== current || abort.signal.aborted) return
        if (error instanceof ApiError && error.status === 401) {
          return leave('Your session has ended. Sign in again.')
        }
        showFailure(running, error)
      } finally {
        if (running === current && running.abort === abort) {
          region.setAttribute('aria-busy', 'false')
        }
      }
    }
    // Another load may have ended meanwhile.
    clearTimeout(timer)
    timer = setTimeout(() => void load(false), REFRESH_MS)
  }

  /** Whether somebody marks text in the data, perhaps to copy it. */
  function isMarking(): boolean {
    const selection = getSelection()
    return selection !== null && !selection.isCollapsed && region.contains(selection.anchorNode)
  }

  /**
   * Replaces what is shown only when it changed, so that a selection is not lost. The focus goes to
   * what stands for the element that had it, or else to the heading: never to the start of the page.
   */
  function render(running: NonNullable<typeof current>, data: unknown): void {
    const text = JSON.stringify(data)
    if (text === running.shown) return
    const { activeElement } = document
    const isInside = activeElement !== null && region.contains(activeElement)
    const mark = isInside ? focusMark(activeElement, region) : null
    const reopen = keepOpened(region)
    running.shown = text
    region.replaceChildren()
    append(region, [running.view.show(data)])
    reopen()
    if (mark && !mark()) heading.focus({ preventScroll: true })
  }

  /** Who believes to have signed out must not leave: the page stays, and says so. */
  async function signOut(): Promise<void> {
    try {
      await frame.signOut()
    } catch (error) {
      const isOver = error instanceof ApiError && error.isSignedOut
      if (!isOver)
        return stillIn.replaceChildren(note('bad', `You are still signed in. ${messageOf(error)}`))
    }
    leave(null)
  }

  /** Old data stay below the failure; without any the failure stands alone. */
  function showFailure(running: NonNullable<typeof current>, error: unknown): void {
    region.querySelector('.failure')?.remove()
    const failure = h(
      'div',
      { class: 'failure' },
      problem(error),
      button('Try again', () => void load(true)),
    )
    if (running.shown === null) region.replaceChildren(failure)
    else region.prepend(failure)
    running.shown = running.shown === null ? null : ''
    fresh.textContent = ''
  }

  const header = h(
    'header',
    {},
    button('Skip to the content', () => heading.focus(), { class: 'skip' }),
    h('a', { class: 'brand', href: hrefOf([]) }, frame.brand),
    nav,
    h(
      'div',
      { class: 'session' },
      fresh,
      h('label', { for: 'live', title: 'Fetch again every 10 seconds' }, pause, 'live'),
      button('Refresh', () => void load(true)),
      button('Sign out', () => void signOut(), { class: 'plain' }),
    ),
  )
  const main = h('main', {}, stillIn, heading, controls, region)
  parent.replaceChildren(header, main)
  listening(pause, { change: () => void load(false) })
  addEventListener(
    'hashchange',
    () => {
      closeQuestions()
      start()
      heading.focus()
    },
    { signal },
  )
  document.addEventListener('visibilitychange', () => void load(false), { signal })
  start()
}
