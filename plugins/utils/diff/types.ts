/**
 * The words of the comparison. A finding says what changed in a schema and what that does to the
 * set of accepted values; the level follows from the effect and the direction the value travels.
 */

export type Level = 'breaking' | 'warning' | 'info'
/** 'request': written by the client, read by the server. 'response': the other way round. */
export type Direction = 'request' | 'response'
/**
 * What a change does to the accepted values: 'narrows' and 'widens' are proved, 'incomparable'
 * means neither contains the other, 'unknown' that it cannot be decided, 'none' that it does not
 * touch them.
 */
export type Effect = 'narrows' | 'widens' | 'incomparable' | 'unknown' | 'none'

/** One line of the report. */
export interface Change {
  /** oasdiff's check id, or one built by its naming rules where it has no check. */
  id: string
  level: Level
  /** RFC 6901 pointer into `after`, or into `before` for what was removed. */
  location: string
  /** 'GET /pets/{id}', the method and the path of `after` (of `before` for removals). */
  operation?: string
  message: string
  before?: unknown
  after?: unknown
}

/** A change inside a schema, relative to the schema compared. */
export interface Finding {
  /** Property path from the compared schema: [] for itself, ['pets', 'items', 'name']. */
  path: readonly string[]
  /** The id without its 'request-property-' head: 'max-length-set'. */
  form: string
  effect: Effect
  /** Sets the level where the effect alone would not (see levels.ts). */
  level?: Level
  /** The whole id, for the few that are not built from direction, scope and form. */
  id?: string
  location: string
  /** A property is described on one side only. By agreement that breaks nobody by itself. */
  described?: 'before' | 'after'
  /** API clients are warned of it by agreement, even where every value is still accepted. */
  agreed?: true
  /** What happened, to follow 'the request property `x`': 'became required'. */
  text: string
  before?: unknown
  after?: unknown
}

/** Two parts of the compared schemas that must be compared as well. */
export interface Edge<S> {
  /** What leads there, for the path of what is found: a property name, 'items', 'anyOf[Dog]'. */
  segment: string
  a: S
  b: S
  /** Under `not`: what narrows there widens here. */
  flipped?: boolean
  /** Under `if`: what a change does depends on the branches. */
  vague?: boolean
  /** Below a read-only property of a request or a write-only one of a response. */
  excused?: boolean
}
