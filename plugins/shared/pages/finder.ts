/** The field above a list that finds one of its rows. */
import { h, listening } from '../../shared/pages/dom.ts'

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
