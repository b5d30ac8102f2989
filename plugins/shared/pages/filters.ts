/** A form whose fields are the query of the place, so that a filtered list has an address. */
import { button, h, listening } from './dom.ts'
import { goTo, type Place } from './place.ts'

export interface Filter {
  name: string
  label: string
  /** Values to choose from; without them any text. */
  options?: readonly string[]
  /** One of the options is always chosen: there is no 'any'. */
  isChoice?: boolean
  placeholder?: string
}

export function filters(place: Place, list: readonly Filter[]): HTMLElement {
  const fields = list.map((filter) => ({ filter, field: fieldOf(filter, place) }))
  const apply = (): void => {
    const query = Object.fromEntries(
      fields.map(({ filter, field }) => [filter.name, field.value.trim()]),
    )
    goTo(place.path, query)
  }
  const form = h(
    'form',
    { class: 'filters', role: 'search' },
    fields.map(({ filter, field }) => h('label', {}, h('span', {}, filter.label), field)),
    h('button', { type: 'submit' }, 'Filter'),
    list.some(({ name, isChoice = false }) => !isChoice && place.query[name]) &&
      button('Clear', () => goTo(place.path), { class: 'plain' }),
  )
  for (const { field } of fields) {
    if (field instanceof HTMLSelectElement) listening(field, { change: apply })
  }
  return listening(form, {
    submit: (event) => {
      event.preventDefault()
      apply()
    },
  })
}

function fieldOf({ name, options, isChoice = false, placeholder }: Filter, { query }: Place) {
  const value = query[name] ?? ''
  if (!options) {
    return h('input', { name, value, placeholder, autocomplete: 'off', spellcheck: 'false' })
  }
  const all = choices(options, value)
  return h('select', { name }, isChoice ? all.slice(1) : all)
}

/** Gives the select of that name these values to choose from; what is chosen stays so. */
export function offer(form: HTMLElement, name: string, options: readonly string[]): void {
  const field = form.querySelector<HTMLSelectElement>(`select[name="${name}"]`)
  if (field && field.options.length !== options.length + 1) {
    field.replaceChildren(...choices(options, field.value))
  }
}

/** 'any', the options, and what is chosen when it is none of them any more. */
function choices(options: readonly string[], chosen: string): HTMLElement[] {
  const all = chosen === '' || options.includes(chosen) ? options : [...options, chosen]
  return [
    h('option', { value: '' }, 'any'),
    ...all.map((option) =>
      h('option', { value: option, selected: option === chosen }, option.replaceAll('_', ' ')),
    ),
  ]
}
