/** The field above a list that finds one of its rows. */
import { h, listening } from './dom.ts'
import { goTo, type Place } from './place.ts'

interface Finder {
  label: string
  placeholder: string
  /** What was looked for last. */
  value: string | undefined
  find(typed: string): void
}

export function finder({ label, placeholder, value, find }: Finder): HTMLElement {
  const field = h('input', {
    'aria-label': label,
    placeholder,
    value: value ?? '',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  return listening(h('form', { class: 'inline' }, field, h('button', { type: 'submit' }, 'Find')), {
    submit: (event) => {
      event.preventDefault()
      find(field.value.trim())
    },
  })
}

const START_OF_KEY = /^ck_[a-z]+_[^_]+/

/** Finds keys by name, id or the start of a key; the list is at `keys` with `find` in its query. */
export const keyFinder = ({ query }: Place): HTMLElement =>
  finder({
    label: 'Name, id or start of a key',
    placeholder: 'name, key_… or ck_…',
    value: query['find'],
    find(typed) {
      if (/^key_[0-9a-f]{32}$/.test(typed)) return goTo(['keys', typed])
      // A whole key that somebody pastes is a secret, and an address is kept in histories.
      goTo(['keys'], { find: START_OF_KEY.exec(typed)?.[0] ?? typed })
    },
  })
