/** The audit log: what operators changed. Members that hold secrets are not kept. */
import { isObject, newId, type ChangeObserver, type OperatorChange, type PluginDb } from '#kernel'
import {
  HIDDEN,
  isSecretMember,
  withoutCredentials,
  withoutSecrets,
} from '../../shared/inline-secrets.ts'

/** What is kept of one value, as JSON text. */
const SHOWN_CHARACTERS = 400
const MAX_DIFFERENCES = 30
const MAX_DEPTH = 4

/** A member that a change gave another value; absent on one side: it was not there. */
export interface Difference {
  path: string
  before?: unknown
  after?: unknown
}

export interface ChangeRow {
  id: string
  at: Date
  operator: string
  /** Of the operator who had that name then: one who comes later may have it too. Null: of none. */
  operatorId: string | null
  role: string
  requestId: string
  method: string
  path: string
  route: string
  address: string
  status: number
  input: unknown
  differences: Difference[]
}

export interface ChangeFilter {
  operator: string | undefined
  requestId: string | undefined
  /** Part of the path. */
  path: string | undefined
}

export class Changes implements ChangeObserver {
  readonly #db: PluginDb

  constructor(db: PluginDb) {
    this.#db = db
  }

  async changed(change: OperatorChange): Promise<void> {
    const { operator, role, at, requestId, method, path, route, clientAddress, status } = change
    await this.#db.query(
      `INSERT INTO change (id, at, operator, role, request_id, method, path, route, address, status,
         input, differences)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::text::jsonb, $12::text::jsonb)`,
      [
        newId(),
        at,
        operator,
        role,
        requestId,
        method,
        withoutCredentials(path).slice(0, 500),
        route,
        clientAddress,
        status,
        jsonOf(shortened(change.input)),
        jsonOf(differences(change.before, change.after)),
      ],
    )
  }

  /** Newest first, from below the id `cursor`. */
  list(filter: ChangeFilter, page: { limit: number; cursor: string | null }): Promise<ChangeRow[]> {
    return this.#db.query<ChangeRow>(
      `SELECT id, at, operator, role, request_id AS "requestId", method, path, route, address,
         status, input, differences,
         (SELECT a.id FROM admin a WHERE lower(a.name) = lower(change.operator)
            AND date_trunc('milliseconds', a.created_at) <= change.at ORDER BY a.created_at DESC LIMIT 1) AS "operatorId"
       FROM change
       WHERE ($1::uuid IS NULL OR id < $1) AND ($2::text IS NULL OR lower(operator) = lower($2))
         AND ($3::text IS NULL OR request_id = $3) AND ($4::text IS NULL OR strpos(path, $4) > 0)
       ORDER BY id DESC LIMIT $5`,
      [
        page.cursor,
        filter.operator ?? null,
        filter.requestId ?? null,
        filter.path ?? null,
        page.limit,
      ],
    )
  }
}

/** Without what PostgreSQL takes in no JSON text: U+0000, and half of a surrogate pair. */
function jsonOf(value: unknown): string | null {
  if (value === undefined) return null
  // A backslash of the text itself is two of them, and what follows it no escape.
  return JSON.stringify(value).replaceAll(/\\(?:\\|u0000|ud[89a-f]..)/g, (escape) =>
    escape === '\\\\' ? escape : '',
  )
}

/** The members that differ, by their path; nothing where one side is not known. */
export function differences(before: unknown, after: unknown): Difference[] {
  if (before === null && after === null) return []
  const found: Difference[] = []
  const isThing = [before, after].some((one) => isObject(one) && 'id' in one)
  compare({ path: '', name: '', isSecret: false, depth: 0, isThing }, before, after, found)
  if (found.length <= MAX_DIFFERENCES) return found
  const more = { path: '/…', after: `${found.length - MAX_DIFFERENCES} more members` }
  return [...found.slice(0, MAX_DIFFERENCES), more]
}

interface Member {
  path: string
  name: string
  isSecret: boolean
  depth: number
  /** Whether it is of one thing; else it is of an answer that lists many. */
  isThing: boolean
}

function compare(member: Member, before: unknown, after: unknown, found: Difference[]): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return
  const { path, name: parent, isSecret, depth, isThing } = member
  if (depth < MAX_DEPTH && isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const hidden = isSecret || isHidden(name, parent)
      const inner = { path: `${path}/${name}`, name, isSecret: hidden, depth: depth + 1, isThing }
      compare(inner, before[name], after[name], found)
    }
    return
  }
  if (!isSecret && isList(before) && isList(after) && (isThing || depth > 1)) {
    const rowsBefore = byId(before)
    const rowsAfter = byId(after)
    for (const id of new Set([...rowsBefore.keys(), ...rowsAfter.keys()])) {
      const inner = { ...member, path: `${path}/${id}`, depth: depth + 1 }
      compare(inner, rowsBefore.get(id), rowsAfter.get(id), found)
    }
    return
  }
  if (!isSecret && isList(before) && isList(after)) {
    // Of many things, what came and what went: others may change meanwhile for reasons of their own.
    const only = (some: readonly Listed[], others: readonly Listed[]): Listed[] => {
      const ids = new Set(others.map(({ id }) => id))
      return some.filter(({ id }) => !ids.has(id)).slice(0, 1)
    }
    for (const one of only(after, before))
      found.push({ path: `${path}/${one.id}`, after: shortened(one) })
    for (const one of only(before, after))
      if (before.length > after.length)
        found.push({ path: `${path}/${one.id}`, before: shortened(one) })
    return
  }
  const shown = (value: unknown) => (isSecret ? HIDDEN : shortened(value, 0, parent))
  found.push({
    path: path.slice(0, 200),
    ...(before !== undefined && before !== null && { before: shown(before) }),
    ...(after !== undefined && after !== null && { after: shown(after) }),
  })
}

/** A product's spec is compared member by member: its text, comments and all, is not kept. */
function isHidden(name: string, parent: string): boolean {
  return isSecretMember(name, parent) || (name === 'text' && parent === '')
}

interface Listed {
  id: string
}

function isList(value: unknown): value is Listed[] {
  if (!Array.isArray(value)) return false
  const ids = value.map((one) => (isObject(one) ? one['id'] : null))
  return ids.every((id) => typeof id === 'string') && new Set(ids).size === ids.length
}

function byId(list: readonly Listed[]): Map<string, Listed> {
  return new Map(list.map((one) => [one.id, one]))
}

/** The same without secrets; long texts, and what is deep, cut. */
function shortened(value: unknown, depth = 0, parent = ''): unknown {
  if (typeof value === 'string') {
    const shown = String(withoutSecrets(value, [parent]))
    return shown.length > SHOWN_CHARACTERS ? `${shown.slice(0, SHOWN_CHARACTERS)}…` : shown
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return '…'
  if (Array.isArray(value))
    return value.slice(0, 20).map((one) => shortened(one, depth + 1, parent))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 40)
      .map(([name, one]) => [
        name,
        isHidden(name, parent) ? HIDDEN : shortened(one, depth + 1, name),
      ]),
  )
}
