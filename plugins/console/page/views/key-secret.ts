/** A key's plaintext, which the gateway tells once and nobody can have again. */
import { tell } from '../../../shared/pages/dialog.ts'
import { h } from '../../../shared/pages/dom.ts'
import { copyable, note } from '../../../shared/pages/parts.ts'

export function showSecret(title: string, plaintext: string, more?: string): void {
  tell(
    title,
    note('warn', 'Copy it now: it is shown this once, and the gateway keeps only its hash.'),
    h('p', {}, copyable(plaintext)),
    more !== undefined && h('p', {}, more),
  )
}
