/**
 * allOf is compared merged, by what it demands. When members came or went and that mattered, the
 * report also names them, because that is where the author made the change.
 */
import type { Place } from '../document.ts'
import { canonical, isMap } from '../pointer.ts'
import type { Effect, Finding } from '../types.ts'
import type { Item, Relation } from './relation.ts'
import type { Shape } from './shape.ts'

/** `items`, with the allOf members that were added or removed when they explain some of them. */
export function relateMembers(relation: Relation, a: Shape, b: Shape, items: Item[]): Item[] {
  if (a.members.length + b.members.length === 0) return items
  const [old, now] = [a, b].map((shape) => new Set(shape.members.map(({ raw }) => canonical(raw))))
  const gone = a.members.filter(({ raw }) => !now!.has(canonical(raw)))
  const come = b.members.filter(({ raw }) => !old!.has(canonical(raw)))
  if (come.length === gone.length) return items
  const effects = effectsOf(relation, items)
  if (effects.size === 0) return items
  if (come.length > gone.length) {
    const mattered = effects.has('narrows') || effects.has('incomparable')
    return [...come.map((one) => member('added', mattered ? 'narrows' : 'none', one)), ...items]
  }
  const mattered = effects.has('widens') || effects.has('incomparable')
  return [...gone.map((one) => member('removed', mattered ? 'widens' : 'none', one)), ...items]
}

/** The effects of all findings under `items`, 'none' among them. */
function effectsOf(relation: Relation, items: Item[]): Set<Effect> {
  const effects = new Set<Effect>()
  for (const item of items) {
    if (!('segment' in item)) effects.add(item.effect)
    else for (const effect of relation.effects(item.a, item.b)) effects.add(effect)
  }
  return effects
}

function member(what: 'added' | 'removed', effect: Effect, { raw, pointer }: Place): Finding {
  const name = isMap(raw) && typeof raw.$ref === 'string' ? raw.$ref.split('/').at(-1) : 'unnamed'
  return {
    path: [],
    form: `all-of-${what}`,
    effect,
    location: pointer,
    text: `the allOf member \`${name}\` was ${what}`,
    [what === 'added' ? 'after' : 'before']: raw,
  }
}
