/** Values that differ, by their path: of the audit log, and of a spec that is being written. */
import { h } from '../../../shared/pages/dom.ts'
import type { Difference } from '../wire/operators.ts'

const SHOWN_CHARACTERS = 120

export function differenceList(differences: readonly Difference[]): HTMLElement {
  return h(
    'ul',
    {},
    differences.map(({ path, before, after }) =>
      h(
        'li',
        {},
        h('code', {}, path.replace(/^\//, '')),
        ': ',
        before !== undefined && h('del', {}, shortText(before)),
        before !== undefined && after !== undefined && ' → ',
        after !== undefined && h('ins', {}, shortText(after)),
      ),
    ),
  )
}

function shortText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text
}
