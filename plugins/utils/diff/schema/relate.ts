/**
 * What changed from one schema to another, as findings with their effect on the accepted values.
 * Each pair of schemas is compared once, one level deep; the pairs make a graph that is walked
 * from wherever a schema is used, so recursion ends and shared schemas cost little.
 */
import type { Place } from '../document.ts'
import { equal } from '../pointer.ts'
import { Prover } from '../sets/prover.ts'
import type { Direction, Edge, Effect, Finding } from '../types.ts'
import { relateArrays } from './arrays.ts'
import { relateBounds } from './bounds.ts'
import { relateLogic } from './logic.ts'
import { relateMembers } from './members.ts'
import { excused, relateObjects } from './objects.ts'
import type { Shape } from './shape.ts'
import { relateTypes, sharedTypes } from './types.ts'
import { asUnevaluated } from './unevaluated.ts'
import { acceptsNothing } from './vacuous.ts'
import { relateUnions } from './alternatives.ts'
import { relateValues } from './values.ts'
import type { Cover, Item, Relation, Wire } from './relation.ts'

/** Most pairs of alternatives that are looked at for one standing in for the other. */
const COVERS_MAX = 100_000

interface Node {
  a: Shape
  b: Shape
  /** Its place in the order of comparison. */
  index: number
  own: Finding[]
  edges: Edge<Shape>[]
  /** The nodes of `edges`, once they were followed. */
  next: (Node | undefined)[]
  /** Known to lead to no finding at all. */
  clean: boolean
  /** Whether it leads to a finding that may break somebody, once that was looked for. */
  isSuspect?: boolean
  /** Whether `b` is proved to take in `a` (wider), or `a` to take in `b`. */
  proved: { wider?: boolean; narrower?: boolean }
}

/** A node on the way through the graph of pairs, with how it was reached. */
interface Visit {
  node: Node
  from: Visit | null
  segment: string
  flipped: boolean
  vague: boolean
  /** 'self' for the excused property, 'below' for what it contains. */
  excused: false | 'self' | 'below'
  /** Here or further out it is proved that nothing breaks. */
  proved: boolean
}

export class SchemaRelation implements Relation {
  readonly direction: Direction
  readonly wire: Wire
  readonly #nodes = new Map<Shape, Map<Shape, Node>>()
  readonly #prover = new Prover()
  /** For alternatives, whose many pairs must not use up what is left for findings. */
  readonly #coverProver = new Prover()
  readonly #covered = new Map<string, Cover>()
  /** Pairs being compared; while there are any, what they lead to is not known in full. */
  #open = 0
  #count = 0
  /** Pairs that `covers` looked at. */
  #looked = 0

  constructor(direction: Direction, wire: Wire) {
    this.direction = direction
    this.wire = wire
  }

  /** Everything that changed from `a` to `b`, each with the shortest path to it, nearest first. */
  *findings(a: Shape, b: Shape): Generator<Finding> {
    const first = this.#node(a, b)
    this.#findSuspects(first)
    for (const visit of this.#walk(a, b, true)) {
      if (visit.node.own.length === 0) continue
      const path = pathOf(visit)
      for (const finding of visit.node.own) yield this.#placed(finding, visit, path)
    }
  }

  /** Marks every pair that is reached from `first` by whether it leads to a finding that may harm. */
  #findSuspects(first: Node): void {
    if (first.clean || first.isSuspect !== undefined) return
    const nodes = [first]
    const sources = new Map<Node, Node[]>([[first, []]])
    const suspects: Node[] = []
    for (const node of nodes) {
      node.isSuspect = false
      if (node.own.some(({ effect, described }) => effect !== 'none' || described))
        suspects.push(node)
      node.edges.forEach((edge, step) => {
        const next = (node.next[step] ??= this.#node(edge.a, edge.b))
        if (next.isSuspect === true) suspects.push(node)
        const known = sources.get(next)
        if (known) known.push(node)
        else if (next.isSuspect === undefined) {
          sources.set(next, [node])
          nodes.push(next)
        }
      })
    }
    for (let node = suspects.pop(); node; node = suspects.pop()) {
      if (node.isSuspect) continue
      node.isSuspect = true
      suspects.push(...sources.get(node)!)
    }
  }

  /** Whether it is proved that a change of `node`, reached so, breaks nobody. */
  #isProved(node: Node, { flipped, vague }: Pick<Visit, 'flipped' | 'vague'>): boolean {
    if (vague || !node.isSuspect) return false
    const isWider = (this.direction === 'request') !== flipped
    return (node.proved[isWider ? 'wider' : 'narrower'] ??= this.#prove(node, isWider))
  }

  #prove({ a, b }: Node, isWider: boolean): boolean {
    return isWider ? includes(this.#prover, b, a) : includes(this.#prover, a, b)
  }

  takesIn(outer: Shape, inner: Shape): boolean {
    return includes(this.#coverProver, outer, inner)
  }

  same(a: Shape, b: Shape): boolean {
    for (const { node } of this.#walk(a, b)) if (node.own.length > 0) return false
    return true
  }

  effects(a: Shape, b: Shape): Set<Effect> {
    const effects = new Set<Effect>()
    for (const visit of this.#walk(a, b)) {
      for (const { effect } of visit.node.own) effects.add(effectOf(effect, visit))
    }
    return effects
  }

  covers(outer: Shape, inner: Shape): Cover {
    const key = `${inner.key}:${outer.key}`
    const known = this.#covered.get(key)
    if (known !== undefined) return known
    // What is not looked at is not proved.
    if (this.#looked >= COVERS_MAX) return 'no'
    this.#looked++
    const covered = this.#provedCover(outer, inner)
    if (this.#open === 0) this.#covered.set(key, covered)
    return covered
  }

  #provedCover(outer: Shape, inner: Shape): Cover {
    let cover: Cover = 'exactly'
    let isDoubtful = false
    for (const visit of this.#walk(inner, outer)) {
      for (const finding of visit.node.own) {
        const effect = effectOf(finding.effect, visit)
        if (finding.described === 'before') return 'no'
        if (effect !== 'none' && effect !== 'widens') isDoubtful = true
        if (finding.described === 'after') cover = 'nearly'
      }
    }
    return isDoubtful && !this.takesIn(outer, inner) ? 'no' : cover
  }

  below(segment: string, a: Shape, aPlace: Place, b: Shape, bPlace: Place): Edge<Shape> {
    return { segment, a: a.owner.of(aPlace), b: b.owner.of(bPlace) }
  }

  /**
   * Breadth first through every pair that is reached from (a, b), each once per way of counting.
   * `asks` for proofs that changes break nobody.
   */
  *#walk(a: Shape, b: Shape, asks = false): Generator<Visit> {
    const root = { from: null, segment: '', flipped: false, vague: false, excused: false } as const
    const first = this.#node(a, b)
    if (first.clean) return
    const isProved = (node: Node, way: Pick<Visit, 'flipped' | 'vague'>): boolean =>
      asks && this.#isProved(node, way)
    const queue: Visit[] = [{ ...root, node: first, proved: isProved(first, root) }]
    /** Ways in which each node was reached, as bits, by its index. */
    const seen: number[] = []
    seen[first.index] = 1 << waysOf(queue[0]!)
    let findings = first.own.length
    for (let at = 0; at < queue.length; at++) {
      const visit = queue[at]!
      yield visit
      const { edges, next } = visit.node
      for (let step = 0; step < edges.length; step++) {
        const edge = edges[step]!
        const node = (next[step] ??= this.#node(edge.a, edge.b))
        if (node.clean) continue
        const way = {
          flipped: visit.flipped !== Boolean(edge.flipped),
          vague: visit.vague || Boolean(edge.vague),
        }
        const reached: Visit = {
          ...way,
          node,
          from: visit,
          segment: edge.segment,
          proved: visit.proved || isProved(node, way),
          excused: visit.excused ? 'below' : edge.excused ? 'self' : false,
        }
        const ways = seen[node.index] ?? 0
        const bit = 1 << waysOf(reached)
        if (ways & bit) continue
        seen[node.index] = ways | bit
        findings += node.own.length
        queue.push(reached)
      }
    }
    if (findings === 0 && this.#open === 0) for (const { node } of queue) node.clean = true
  }

  #placed(finding: Finding, visit: Visit, path: readonly string[]): Finding {
    const placed = {
      ...finding,
      effect: effectOf(finding.effect, visit),
      path: [...path, ...finding.path],
    }
    if (visit.proved) return this.#harmless(placed, visit.node)
    if (!visit.excused) return placed
    return visit.excused === 'self' ? excused(this.direction, placed) : { ...placed, level: 'info' }
  }

  /**
   * A finding where all values are still accepted. What an API describes no longer may be missed all
   * the same.
   */
  #harmless(finding: Finding, { a }: Node): Finding {
    const isAgreed = finding.described !== undefined || finding.agreed === true
    const isKept = isAgreed ? a.owner.document.family === 'openapi' : finding.effect === 'none'
    return isKept ? finding : { ...finding, effect: 'none', level: 'info' }
  }

  #node(a: Shape, b: Shape): Node {
    let row = this.#nodes.get(a)
    if (!row) this.#nodes.set(a, (row = new Map()))
    const known = row.get(b)
    if (known) return known
    const node: Node = {
      a,
      b,
      index: this.#count++,
      own: [],
      edges: [],
      next: [],
      clean: false,
      proved: {},
    }
    row.set(b, node)
    this.#open++
    for (const item of this.#compare(a, b)) {
      if ('segment' in item) node.edges.push(item)
      else node.own.push(item)
    }
    this.#open--
    return node
  }

  #compare(a: Shape, b: Shape): Item[] {
    // What is beside equal references still counts; beside others nobody knows what it adds to.
    if (!equal(a.externals, b.externals)) return [referenceChanged(a, b)]
    if (a.never || b.never) return relateNever(a, b)
    const unions = relateUnions(this, a, b)
    if (unions.replaced) return unions.items
    const items: Item[] = [...relateTypes(this, a, b), ...relateValues(this, a, b)]
    if (sharedTypes(a, b)) {
      items.push(
        ...relateBounds(a, b),
        ...relateObjects(this, a, b),
        ...relateArrays(this, a, b),
        ...relateLogic(this, a, b),
      )
    } else if (a.nullable && b.nullable) {
      // Conditions may still tell one null from the other.
      items.push(...relateLogic(this, a, b))
    }
    items.push(...asUnevaluated(a, b, unions.items))
    return relateMembers(this, a, b, items)
  }
}

/** A number for how a visit counts what it finds. */
function waysOf({ flipped, vague, excused, proved }: Visit): number {
  return (
    (flipped ? 1 : 0) +
    (vague ? 2 : 0) +
    (excused === 'self' ? 4 : excused ? 8 : 0) +
    (proved ? 16 : 0)
  )
}

function pathOf(visit: Visit): string[] {
  const path: string[] = []
  for (let at: Visit | null = visit; at?.from; at = at.from) path.unshift(at.segment)
  return path
}

/** What a change does where it was reached from. */
function effectOf(effect: Effect, { flipped, vague }: Visit): Effect {
  if (effect === 'none') return 'none'
  if (vague) return 'unknown'
  if (!flipped) return effect
  return effect === 'narrows' ? 'widens' : effect === 'widens' ? 'narrows' : effect
}

/** Whether `outer` is proved to accept every value of `inner`, both read from a document. */
function includes(prover: Prover, outer: Shape, inner: Shape): boolean {
  const [whole, part] = [outer, inner].map((shape) => {
    const place = shape.owner.origin(shape)
    return place && { document: shape.owner.document, place }
  })
  return whole !== undefined && part !== undefined && prover.includes(whole, part)
}

function referenceChanged(a: Shape, b: Shape): Finding {
  const [before, after] = [a, b].map(({ externals: [first, ...more] }) =>
    more.length > 0 ? [first, ...more] : first,
  )
  return {
    path: [],
    form: 'reference-changed',
    effect: 'unknown',
    location: b.location,
    text: 'refers to another document now, which is not read',
    before,
    after,
  }
}

function relateNever(a: Shape, b: Shape): Finding[] {
  // Conditions that no value meets say the same as `false`.
  if (acceptsNothing(a) && acceptsNothing(b)) return []
  return [
    {
      path: [],
      form: a.never ? 'type-generalized' : 'type-changed',
      effect: a.never ? 'widens' : 'narrows',
      location: b.location,
      text: a.never ? 'accepts values now' : 'accepts no value any more',
      before: !a.never,
      after: !b.never,
    },
  ]
}
