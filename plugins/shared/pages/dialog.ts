/** Modal dialogs: a question, a form, a secret that is shown once. Escape closes, focus returns. */
import { button, h, listening, type Child } from './dom.ts'
import { focusMark, switchedOff, type FocusMark } from './focus.ts'
import { problem } from './parts.ts'

export interface Field {
  name: string
  label: string
  value?: string
  hint?: string
  options?: readonly string[]
  required?: boolean
  /** A moment in local time, or several lines; default: one line. */
  kind?: 'moment' | 'lines'
}

/** What `read` makes of the texts of those fields that `values` has, by their names. */
export function givenIn<T>(
  fields: readonly Field[],
  values: Readonly<Record<string, string>>,
  read: (text: string, label: string) => T,
): Record<string, T> {
  const given = fields.flatMap(({ name, label }) => {
    const text = values[name]
    return text === undefined ? [] : [[name, read(text, label)] as const]
  })
  return Object.fromEntries(given)
}

/** Whether a dialog is open: nothing behind it is refreshed meanwhile. */
export function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null
}

/** The browser asks before it leaves the document while something would be lost. */
export function askBeforeUnload(isLost: () => boolean): void {
  addEventListener('beforeunload', (event) => {
    if (isLost()) event.preventDefault()
  })
}

askBeforeUnload(() =>
  [
    ...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      'dialog[open] :is(input, textarea)',
    ),
  ].some(({ value, defaultValue }) => value !== defaultValue),
)

/**
 * For who went to another place: a question would stand over what it has nothing to do with. A secret
 * that is shown once stays.
 */
export function closeQuestions(): void {
  for (const form of document.querySelectorAll('dialog[open] > form'))
    form.closest('dialog')?.close()
}

/**
 * Asks with fields (or none). `submit` gets their texts, and apart those that say other than at first:
 * what is not in there another tab may have changed since. What it throws is shown in the dialog, which
 * closes upon a success. Who closes it meanwhile has not taken back what was sent: the dialog opens
 * again, with all that was typed, if it failed.
 */
export function askFor(order: {
  title: string
  text?: Child
  fields?: readonly Field[]
  /** The word on the button. */
  action: string
  isDangerous?: boolean
  submit(values: Record<string, string>, changed: Record<string, string>): Promise<void>
}): void {
  const fields = (order.fields ?? []).map((field) => ({ field, input: inputOf(field) }))
  const send = h(
    'button',
    { type: 'submit', class: order.isDangerous ? 'danger' : 'main' },
    order.action,
  )
  const failure = h('div', {})
  // Else Enter that was held on the button before would do what cannot be undone.
  const isHasty = order.isDangerous === true && fields.length === 0
  const labels = Object.fromEntries(fields.map(({ field }) => [field.name, field.label]))
  const form = h(
    'form',
    {},
    h('h2', {}, order.title),
    order.text !== undefined && h('p', {}, order.text),
    fields.map(({ field, input }) =>
      h('label', {}, h('span', {}, field.label), input, field.hint && h('small', {}, field.hint)),
    ),
    failure,
    h(
      'div',
      { class: 'buttons' },
      send,
      button('Cancel', () => dialog.close(), { class: 'plain', autofocus: isHasty }),
    ),
  )
  const dialog = open(form)
  listening(form, {
    submit: (event) => {
      event.preventDefault()
      void switchedOff([send], run)
    },
  })
  async function run(): Promise<void> {
    failure.replaceChildren()
    const texts = fields.map(({ field, input }) => [field, input.value.trim()] as const)
    const named = (some: typeof texts) =>
      Object.fromEntries(some.map(([{ name }, text]) => [name, text]))
    const changed = texts.filter(([{ value = '' }, text]) => text !== value.trim())
    try {
      await order.submit(named(texts), named(changed))
      dialog.close()
    } catch (error) {
      failure.replaceChildren(problem(error, labels))
      if (!dialog.open) show(dialog)
      // Below the fields of a long form nobody would see it who submitted by Enter.
      failure.scrollIntoView({ block: 'nearest' })
    }
  }
}

/** Shows something until it is closed; what is given is the dialog. */
export function tell(title: string, ...children: Child[]): HTMLDialogElement {
  const dialog = open(
    h(
      'div',
      {},
      h('h2', {}, title),
      children,
      h(
        'div',
        { class: 'buttons' },
        button('Done', () => dialog.close(), { class: 'main' }),
      ),
    ),
  )
  return dialog
}

/** What had the focus before each dialog. One that another opened leads to where that one came from. */
const before = new WeakMap<Element, FocusMark>()

function open(content: HTMLElement): HTMLDialogElement {
  const title = content.querySelector('h2')
  const dialog = h('dialog', { 'aria-label': title?.textContent ?? 'Dialog' }, content)
  const opener = document.activeElement
  const below = opener?.closest('dialog')
  const back = below ? before.get(below) : opener && focusMark(opener, document)
  if (back) before.set(dialog, back)
  listening(dialog, {
    close: () => {
      dialog.remove()
      // The browser's own return fails where the opener was in a dialog, or was made anew meanwhile.
      if (!isDialogOpen() && !back?.()) document.querySelector('h1')?.focus()
    },
  })
  show(dialog)
  return dialog
}

function show(dialog: HTMLDialogElement): void {
  document.body.append(dialog)
  dialog.showModal()
}

function inputOf({
  name,
  value = '',
  options,
  required,
  kind,
}: Field): HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  const plain = { name, required, autocomplete: 'off', spellcheck: 'false' }
  if (kind === 'lines') return h('textarea', { ...plain, rows: 3 }, value)
  if (!options)
    return h('input', { ...plain, value, type: kind === 'moment' ? 'datetime-local' : undefined })
  return h(
    'select',
    { name },
    options.map((option) => h('option', { value: option, selected: option === value }, option)),
  )
}
