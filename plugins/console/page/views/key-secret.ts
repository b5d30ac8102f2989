/** A key's plaintext, which the gateway tells once and nobody can have again. */
import { tell } from '../dialog.ts'
import { h } from '../dom.ts'
import { copyable, note } from '../parts.ts'

export function showSecret(title: string, plaintext: string, more?: string): void {
  tell(
    title,
    note('warn', 'Copy it now: it is shown this once, and the gateway keeps only its hash.'),
    h('p', {}, copyable(plaintext)),
    more !== undefined && h('p', {}, more),
  )
}
