/** A plaintext that the gateway tells once: showing it, and asking for another one in its place. */
import type { Asked } from './api.ts'
import { askFor, tell } from './dialog.ts'
import { h, type Child } from './dom.ts'
import { copyable, note } from './parts.ts'
import type { Shell } from './view.ts'

/** Shows it; nobody can have it again. */
export function showSecret(title: string, plaintext: string, more?: Child): void {
  tell(
    title,
    note('warn', 'Copy it now: it is shown this once.'),
    h('p', {}, copyable(plaintext)),
    more !== undefined && h('p', {}, more),
  )
}

/** The page's way to the route of a key. */
type Ask = <T>(path: string, asked?: Asked) => Promise<T>

/** Asks whether a key shall have a new credential and shows that one; `stays` names what does not change. */
export function askToRotate(
  ask: Ask,
  { name, path, stays }: { name: string; path: string; stays: string },
  shell: Shell,
): void {
  askFor({
    title: `New credential for ${name}`,
    text: `${stays} stay. The credential before stays valid for a day.`,
    action: 'Make it',
    async submit() {
      const made = await ask<{ key: string; previousValidUntil: string }>(`${path}/rotate`, {
        method: 'POST',
        body: {},
      })
      const until = new Date(made.previousValidUntil).toLocaleString()
      showSecret(`New credential of ${name}`, made.key, `The one before ends ${until}.`)
      shell.refresh()
    },
  })
}
