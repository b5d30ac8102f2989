/** Writing a product's spec: checked with what it would change, then put into service. */
import { ask } from '../api.ts'
import { askBeforeUnload } from '../../../shared/pages/dialog.ts'
import { h, listening } from '../../../shared/pages/dom.ts'
import { goTo } from '../../../shared/pages/place.ts'
import { action, go, note } from '../../../shared/pages/parts.ts'
import { view, type View } from '../../../shared/pages/view.ts'
import type { Difference } from '../wire/operators.ts'
import type { ProductDetail, SpecIssue } from '../wire/products.ts'
import { NEW_PRODUCT } from './new-product.ts'
import { differenceList } from './difference-list.ts'

interface Checked {
  valid: boolean
  product_id?: string
  /** Refused at this stage. */
  stage?: string
  issues?: SpecIssue[]
  /** Against what is in service; a side that is absent was not there. */
  changes?: Difference[]
  warnings?: SpecIssue[]
}

/**
 * What was typed and not put into service, by product ('' for a new one), with the version that it
 * changes: neither a refresh nor a look at another page takes it away.
 */
const drafts = new Map<string, { text: string; version: number | null }>()
askBeforeUnload(() => drafts.size > 0)

/** The editor of a product; null: of one that is not there yet. */
export function productEditor(id: string | null): View {
  const path = '/v1/admin/products'
  return view<ProductDetail | null>({
    title: id === null ? 'New product' : `Edit ${id}`,
    isLive: false,
    load: async (signal) =>
      id === null ? null : ask<ProductDetail>(`${path}/${encodeURIComponent(id)}`, { signal }),
    show(product) {
      if (product?.redacted)
        return note(
          'warn',
          'Your role sees this spec without its secrets, so it cannot be edited here.',
        )
      return [
        product?.file &&
          note(
            'quiet',
            `It comes from ${product.file}: what is written here is in service until that file changes, and shown as drift.`,
          ),
        specForm(product?.text ?? NEW_PRODUCT, product, id ?? ''),
      ]
    },
  })
}

/**
 * The text of a spec with its buttons; `product` null: of one that is not there yet. What is typed is
 * kept as the draft of that name; null: it is not kept.
 */
export function specForm(
  text: string,
  product: ProductDetail | null,
  draftName: string | null,
): HTMLElement {
  const path = '/v1/admin/products'
  const id = product?.product_id ?? null
  const field = h('textarea', {
    class: 'spec',
    'aria-label': 'Spec, YAML',
    rows: 28,
    spellcheck: 'false',
    autocomplete: 'off',
  })
  const draft = draftName === null ? undefined : drafts.get(draftName)
  const version = draft ? draft.version : (product?.version ?? null)
  field.value = draft?.text ?? text
  const forget = (): void => {
    if (draftName !== null) drafts.delete(draftName)
  }
  listening(field, {
    input: () => {
      if (draftName !== null) drafts.set(draftName, { text: field.value, version })
    },
  })
  const said = h('div', { 'aria-live': 'polite' })
  const check = async (): Promise<Checked> => {
    const checked = await ask<Checked>(`${path}/validate`, { method: 'POST', text: field.value })
    said.replaceChildren(resultOf(checked, id))
    return checked
  }
  const apply = async (): Promise<void> => {
    const { valid, product_id: written } = await check()
    if (!valid || written === undefined || (id !== null && written !== id)) return
    await ask(`${path}/${encodeURIComponent(written)}`, {
      method: 'PUT',
      text: field.value,
      headers: version === null ? { 'if-none-match': '*' } : { 'if-match': `"${version}"` },
    })
    forget()
    goTo(['products', written])
  }
  return h(
    'div',
    {},
    draft && note('quiet', 'This is what you typed before. Cancel forgets it.'),
    field,
    h(
      'div',
      { class: 'buttons' },
      action('Check', async () => void (await check())),
      action('Put into service', apply, 'main'),
      listening(go('Cancel', id === null ? ['products'] : ['products', id]), { click: forget }),
    ),
    said,
  )
}

function resultOf(checked: Checked, id: string | null): HTMLElement {
  const listed = (issues: readonly SpecIssue[]): HTMLElement =>
    h(
      'ul',
      {},
      issues.map(({ path, message, line, column }) =>
        h('li', {}, line !== undefined && `line ${line}, column ${column}: `, path, ` ${message}`),
      ),
    )
  if (!checked.valid)
    return note(
      'bad',
      `It would be refused (${checked.stage ?? 'unknown'}):`,
      listed(checked.issues ?? []),
    )
  if (id !== null && checked.product_id !== id)
    return note('bad', `product_id is ${checked.product_id ?? 'absent'}, and must stay ${id}.`)
  const { changes = [], warnings = [] } = checked
  return h(
    'div',
    {},
    warnings.length > 0 && note('warn', 'Warnings:', listed(warnings)),
    note(
      'good',
      changes.length === 0 ? 'It is valid, and changes nothing.' : 'It is valid, and would change:',
      changes.length > 0 && differenceList(changes),
    ),
  )
}
