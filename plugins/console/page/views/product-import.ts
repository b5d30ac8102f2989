/** A product made of an OpenAPI document: where it is, what it costs, what was left out, its spec. */
import { ask } from '../api.ts'
import { h, listening } from '../../../shared/pages/dom.ts'
import { InputError } from '../../../shared/pages/api.ts'
import { switchedOff } from '../../../shared/pages/focus.ts'
import { go, note, problem, section } from '../../../shared/pages/parts.ts'
import { view } from '../../../shared/pages/view.ts'
import type { ImportedSpec } from '../wire/products.ts'
import { specForm } from './product-editor.ts'

/** A text field with its words; `kind` of an input, or several lines. */
function field(
  label: string,
  hint: string,
  kind: 'text' | 'url' | 'number' | 'lines' = 'text',
): { shown: HTMLElement; value(): string } {
  const plain = { autocomplete: 'off', spellcheck: 'false' }
  const input =
    kind === 'lines'
      ? h('textarea', { ...plain, rows: 6 })
      : h('input', {
          ...plain,
          type: kind,
          ...(kind === 'number' && { min: '0', step: 'any', value: '1', required: true }),
        })
  const shown = h('label', {}, h('span', {}, label), input, h('small', {}, hint))
  return { shown, value: () => input.value.trim() }
}

/** The form; below it, once it was sent, the report and the spec in an editor. */
export const productImport = view<null>({
  title: 'Import an OpenAPI document',
  isLive: false,
  load: async () => null,
  show() {
    const url = field(
      'URL of the document',
      'Fetched by the gateway, so it must be public. Paste a document that is not.',
      'url',
    )
    const pasted = field('Or the document', 'OpenAPI 3 or Swagger 2.0, as JSON or YAML', 'lines')
    const price = field(
      'Price, credits',
      'Of every skill; change single ones in the spec',
      'number',
    )
    const tag = field(
      'Only the tag or path',
      'Operations with another are left out; a path begins with /',
    )
    const productId = field('Product id', 'Default: out of the title of the document')
    const baseUrl = field('Base URL of the API', 'Default: the first server of the document', 'url')
    const send = h('button', { type: 'submit', class: 'main' }, 'Make a spec of it')
    const said = h('div', { 'aria-live': 'polite' })
    const run = async (): Promise<void> => {
      const texts = {
        url: url.value(),
        document: pasted.value(),
        productId: productId.value(),
        baseUrl: baseUrl.value(),
        tag: tag.value(),
      }
      if ((texts.url === '') === (texts.document === ''))
        throw new InputError('Give the URL of a document, or paste one: one of the two.')
      const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
      const made = await ask<ImportedSpec>('/v1/admin/products/import', {
        method: 'POST',
        body: { ...given, priceCredits: Number(price.value()) },
      })
      said.replaceChildren(resultOf(made))
    }
    const submit = async (): Promise<void> => {
      said.replaceChildren()
      try {
        await run()
      } catch (error) {
        said.replaceChildren(problem(error))
      }
    }
    const form = h(
      'form',
      { class: 'fields' },
      [url, pasted, price, tag, productId, baseUrl].map(({ shown }) => shown),
      h('div', { class: 'buttons' }, send, go('Cancel', ['products'])),
    )
    listening(form, {
      submit: (event) => {
        event.preventDefault()
        void switchedOff([send], submit)
      },
    })
    return h('div', {}, form, said)
  },
})

function resultOf({ product_id: id, yaml, skills, dropped }: ImportedSpec): HTMLElement {
  return h(
    'div',
    {},
    note(
      'good',
      `${id} would sell ${skills} ${skills === 1 ? 'skill' : 'skills'}. Nothing is in service yet.`,
    ),
    dropped.length > 0 &&
      note(
        'warn',
        h(
          'details',
          { open: dropped.length <= 12 },
          h('summary', {}, `${dropped.length} things of the document are left out`),
          h(
            'ul',
            {},
            dropped.map((line) => h('li', {}, line)),
          ),
        ),
      ),
    section('Spec', specForm(yaml, null, null)),
  )
}
