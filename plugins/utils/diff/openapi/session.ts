/** What one comparison of two OpenAPI documents remembers, handed to each of its parts. */
import type { Document, Place } from '../document.ts'
import type { Collector, Site } from '../report.ts'
import { Shapes } from '../schema/shapes.ts'
import { SchemaRelation } from '../schema/relate.ts'
import type { Wire } from '../schema/relation.ts'
import type { Direction } from '../types.ts'

/** What the parts of a comparison share. */
export interface Session {
  before: Document
  after: Document
  shapesBefore: Shapes
  shapesAfter: Shapes
  collector: Collector
  /** Directions to report. */
  directions: ReadonlySet<Direction>
  /** Date for sunset rules. */
  today: Date
  /** The relation for values that travel this way; one per kind, so that results are shared. */
  relation(direction: Direction, wire: Wire): SchemaRelation
  /** Whether one of two schemas may be a list or an object, where serialisation options matter. */
  structured(before: Place | null, after: Place | null): boolean
  /** Reports what changed between two schemas used at one site. */
  schemas(site: Site, wire: Wire, before: Place, after: Place): void
}

/** A session with empty memory. */
export function openSession(
  before: Document,
  after: Document,
  collector: Collector,
  directions: ReadonlySet<Direction>,
  today: Date,
): Session {
  const relations = new Map<string, SchemaRelation>()
  return {
    before,
    after,
    collector,
    directions,
    today,
    shapesBefore: new Shapes(before),
    shapesAfter: new Shapes(after),
    relation(direction, wire) {
      const key = `${direction} ${wire}`
      let relation = relations.get(key)
      if (!relation) relations.set(key, (relation = new SchemaRelation(direction, wire)))
      return relation
    },
    structured(from, to) {
      const shapes = [from && this.shapesBefore.of(from), to && this.shapesAfter.of(to)]
      return shapes.some(
        (shape) => !shape?.types || shape.types.has('array') || shape.types.has('object'),
      )
    },
    schemas(site, wire, from, to) {
      if (collector.full) return
      const [a, b] = [this.shapesBefore.of(from), this.shapesAfter.of(to)]
      collector.addFindings(site, this.relation(site.direction, wire).findings(a, b))
    },
  }
}
