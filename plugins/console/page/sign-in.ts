/** The first thing to see without a token: a field for it, and what is wrong with the one given. */
import { ApiError } from '../../shared/pages/api.ts'
import { h, listening } from '../../shared/pages/dom.ts'
import { messageOf, note } from '../../shared/pages/parts.ts'
import { signInByLink, signInWith } from './session.ts'

/** Asks for the token until the gateway takes it. `why` tells what ended the session before. */
export function signIn(parent: HTMLElement, why: string | null, signedIn: () => void): void {
  const token = h('input', {
    type: 'password',
    id: 'token',
    required: true,
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const enter = h('button', { type: 'submit', class: 'main' }, 'Sign in')
  const said = h('div', { 'aria-live': 'polite' }, why !== null && note('warn', why))
  const form = h(
    'form',
    { class: 'sign-in' },
    h('h1', {}, 'Coinop console'),
    h('label', { for: 'token' }, 'Token'),
    token,
    h(
      'small',
      {},
      'ADMIN_TOKEN of the gateway, or an operator’s own; a sandbox makes one at its first start and keeps it in DATA_DIR/admin-token. The page forgets it at once; the sign-in lasts until you sign out, or 12 hours after its last use.',
    ),
    said,
    enter,
  )
  listening(form, {
    submit: (event) => {
      event.preventDefault()
      void attempt()
    },
  })
  async function attempt(): Promise<void> {
    const given = token.value.trim()
    if (given === '') return
    if (!/^[\x21-\x7e]+$/.test(given)) {
      said.replaceChildren(note('bad', 'An admin token has no spaces and only plain characters.'))
      return
    }
    enter.disabled = true
    said.replaceChildren(note('quiet', 'Asking the gateway …'))
    try {
      await signInWith(given)
      signedIn()
    } catch (error) {
      said.replaceChildren(note('bad', refusalText(error)))
      enter.disabled = false
      token.select()
    }
  }
  parent.replaceChildren(h('main', {}, form))
  token.focus()
}

/**
 * A sign-in link led here. It is used up by a press of the button alone: programs that follow links,
 * such as previews of a chat, do not press it.
 */
export function confirmLink(
  parent: HTMLElement,
  link: string,
  signedIn: () => void,
  refused: (why: string) => void,
): void {
  const enter = h('button', { type: 'submit', class: 'main' }, 'Sign in')
  const said = h('div', { 'aria-live': 'polite' })
  const form = listening(
    h(
      'form',
      { class: 'sign-in' },
      h('h1', {}, 'Coinop console'),
      h('p', {}, 'Press the button to sign this browser in. The link works once.'),
      said,
      enter,
    ),
    {
      submit: (event) => {
        event.preventDefault()
        enter.disabled = true
        said.replaceChildren(note('quiet', 'Asking the gateway …'))
        signInByLink(link).then(signedIn, (error: unknown) => refused(messageOf(error)))
      },
    },
  )
  parent.replaceChildren(h('main', {}, form))
  enter.focus()
}

function refusalText(error: unknown): string {
  if (!(error instanceof ApiError)) return messageOf(error)
  if (error.status === 401) return 'This is not a token of an operator of this gateway.'
  return error.message
}
