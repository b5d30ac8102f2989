/** Collects changes: builds the ids, sets the levels, drops duplicates, sorts, counts. */
import { cutText } from '../../shared/cut-text.ts'
import { levelOf } from './levels.ts'
import { show } from './pointer.ts'
import { Policy } from './policy.ts'
import type { Change, Direction, Effect, Finding, Level } from './types.ts'

/** Most changes listed; the summary counts those beyond it too. */
const CHANGES_MAX = 5_000
/** Most changes counted of each kind, serious and mere information; more is not looked for. */
const COUNTED_MAX = 20_000
/** Longest JSON text of `before` and `after` in one change. */
const VALUE_LENGTH_MAX = 2_000

export interface Report {
  breaking: boolean
  summary: { breaking: number; warning: number; info: number }
  changes: Change[]
  /** Present and true when there were more changes than are listed. */
  truncated?: true
  /** Present and true when the caller's rules left changes out. */
  ignored?: true
}

/** Which part of an operation a schema belongs to. */
export type Scope =
  | { kind: 'body' }
  | { kind: 'parameter'; in: string; name: string }
  | { kind: 'header'; name: string }

export interface Site {
  direction: Direction
  scope: Scope
  operation?: string
  /** Status of the response that the schema belongs to. */
  status?: string
}

const RANK: Readonly<Record<Level, number>> = { breaking: 0, warning: 1, info: 2 }

export class Collector {
  readonly #changes = new Map<string, Change>()
  readonly #policy: Policy
  #serious = 0
  #ignored = 0
  #truncated = false

  constructor(policy: Policy = new Policy()) {
    this.#policy = policy
  }

  /** True when more changes would not be counted any more. */
  get full(): boolean {
    return this.#serious >= COUNTED_MAX
  }

  #takes(level: Level): boolean {
    const isRoom = level === 'info' ? this.#changes.size - this.#serious < COUNTED_MAX : !this.full
    if (!isRoom) this.#truncated = true
    return isRoom
  }

  /** Adds one change whose level is known; the caller's policy may say otherwise. */
  add(change: Change): void {
    const level = this.#policy.level(change.id, change.level)
    if (level === null || this.#policy.ignores(change)) {
      this.#ignored++
      return
    }
    if (!this.#takes(level)) return
    const serious = level !== 'info'
    const trimmed = {
      ...change,
      level,
      ...trim('before', change.before),
      ...trim('after', change.after),
    }
    const key = [change.id, change.operation, change.location, change.message].join('\n')
    if (this.#changes.has(key)) return
    this.#changes.set(key, trimmed)
    if (serious) this.#serious++
  }

  /** Adds one change whose level follows from its effect. */
  note(direction: Direction, effect: Effect, change: Omit<Change, 'level'>): void {
    this.add({ ...change, level: levelOf(change.id, effect, direction) })
  }

  /** Adds the findings of the schema at one site. */
  addFindings(site: Site, findings: Iterable<Finding>): void {
    for (const finding of findings) {
      if (this.full) {
        this.#truncated = true
        return
      }
      const id = idOf(site, finding)
      const level = finding.level ?? levelOf(id, finding.effect, site.direction)
      const own = this.#policy.level(id, level)
      if (own !== null && !this.#takes(own)) continue
      this.add({
        id,
        level,
        location: finding.location,
        ...(site.operation && { operation: site.operation }),
        message: messageOf(site, finding),
        ...(finding.before !== undefined && { before: finding.before }),
        ...(finding.after !== undefined && { after: finding.after }),
      })
    }
  }

  /**
   * The report: worst first, then by operation, place and id. `breaking` is true when there is a
   * change that breaks clients or that cannot be proved safe (a warning), as `oasdiff breaking`,
   * unless the caller asked for breaking changes alone.
   */
  report(): Report {
    const changes = [...this.#changes.values()].sort(
      (a, b) =>
        RANK[a.level] - RANK[b.level] ||
        compare(a.operation ?? '', b.operation ?? '') ||
        compare(a.location, b.location) ||
        compare(a.id, b.id) ||
        compare(a.message, b.message),
    )
    const count = (level: Level) => changes.filter((change) => change.level === level).length
    const summary = { breaking: count('breaking'), warning: count('warning'), info: count('info') }
    return {
      breaking: this.#policy.fails(summary),
      summary,
      changes: changes.slice(0, CHANGES_MAX),
      ...((this.#truncated || this.full || changes.length > CHANGES_MAX) && {
        truncated: true as const,
      }),
      ...(this.#ignored > 0 && { ignored: true as const }),
    }
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function trim(side: 'before' | 'after', value: unknown): { before?: unknown; after?: unknown } {
  if (value === undefined) return {}
  const text = JSON.stringify(value) ?? ''
  return { [side]: text.length > VALUE_LENGTH_MAX ? `${cutText(text, VALUE_LENGTH_MAX)}…` : value }
}

/** oasdiff's id of a finding at a site. */
function idOf({ direction, scope }: Site, finding: Finding): string {
  const nested = finding.path.length > 0
  const id = finding.id ?? `${direction}-${nested ? 'property' : 'body'}-${finding.form}`
  if (scope.kind === 'body') {
    return id === 'response-body-enum-value-removed' ? 'response-mediatype-enum-value-removed' : id
  }
  if (scope.kind === 'header') {
    return nested ? id.replace('response-', 'response-header-') : `response-header-${finding.form}`
  }
  if (!nested) return `request-parameter-${finding.form}`
  const inHeader =
    /^(?:new-required-request-property|request-property-became-(?:required|enum))$/.test(id)
  const part =
    scope.in === 'header' && inHeader ? 'request-header-property' : 'request-parameter-property'
  return id.replace('request-property', part)
}

function messageOf({ direction, scope, status }: Site, finding: Finding): string {
  const path = finding.path.join('/')
  const whole =
    scope.kind === 'parameter'
      ? `the ${scope.in} parameter ${show(scope.name)}`
      : scope.kind === 'header'
        ? `the response header ${show(scope.name)}`
        : `the ${direction} body`
  const subject = path === '' ? whole : `the ${direction} property ${show(path)}`
  const owner = path !== '' && scope.kind !== 'body' ? ` of ${whole}` : ''
  const when = status ? ` (status ${status})` : ''
  return `${subject}${owner}${when}: ${finding.text}`
}
