/** How two schemas relate, as the comparisons of their parts ask for it; `SchemaRelation` of `relate.ts` answers. */
import type { Place } from '../document.ts'
import type { Direction, Edge, Effect, Finding } from '../types.ts'
import type { Shape } from './shape.ts'

/**
 * How a value is written on the wire: as JSON, with its type, or as text (parameters, headers,
 * forms, plain text), where every scalar is a string and a plain string accepts them all.
 */
export type Wire = 'json' | 'text'

/** What comparing one pair gives: findings of its own, and the parts to go on with. */
export type Item = Finding | Edge<Shape>
export type Cover = 'exactly' | 'nearly' | 'no'

export interface Relation {
  readonly direction: Direction
  readonly wire: Wire
  /** Whether `outer` is proved to accept every value of `inner`, whatever it describes. */
  takesIn(outer: Shape, inner: Shape): boolean
  /** True when nothing at all changed, annotations aside. */
  same(a: Shape, b: Shape): boolean
  /** The effects of all changes from `a` to `b`. */
  effects(a: Shape, b: Shape): Set<Effect>
  /**
   * Whether `outer` can stand for `inner`. 'exactly': it accepts every value of it, as far as that
   * can be proved. 'nearly': it does if nobody uses properties that only `outer` describes. 'no':
   * it may refuse some, or does not describe what `inner` describes (an open object without
   * required properties accepts any other one, which nobody means by it).
   */
  covers(outer: Shape, inner: Shape): Cover
  /** The parts at two places, to be compared under `segment`. */
  below(segment: string, a: Shape, aPlace: Place, b: Shape, bPlace: Place): Edge<Shape>
}
