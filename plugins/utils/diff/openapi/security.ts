/**
 * Security requirements: a list of alternatives, each a set of schemes with scopes. A client
 * breaks when none of the new alternatives is content with what one of the old ones asked for.
 */
import { isMap, mapOf, show, stringsOf } from '../pointer.ts'
import type { Change } from '../types.ts'
import type { Operation, OperationPair } from './model.ts'
import { renamedSchemes } from './security-schemes.ts'
import type { Session } from './session.ts'

/** One alternative: scopes by scheme; empty means no credentials. */
type Alternative = ReadonlyMap<string, readonly string[]>

interface Target {
  /** 'api' or 'api-global'. */
  head: string
  location: string
  operation?: string
  /** No operation of both versions is asked for it. */
  isUnused?: boolean
}

/** Whether an operation says itself what it asks for. */
const isStated = ({ raw }: Operation): boolean => Array.isArray(raw.security)

/** Reports changed requirements of an operation that states its own. */
export function compareOperationSecurity(session: Session, { before, after }: OperationPair): void {
  if (!isStated(before) && !isStated(after)) return
  const security = before.raw.security ?? mapOf(session.before.root).security
  const old = alternatives(security, renamedSchemes(session))
  const now = alternatives(after.raw.security ?? mapOf(session.after.root).security)
  compareAlternatives(session, old, now, {
    head: 'api',
    location: after.pointer,
    operation: after.label,
  })
}

/** Reports changed requirements of the whole document, which hold for operations without their own. */
export function compareGlobalSecurity(session: Session, pairs: readonly OperationPair[]): void {
  const old = alternatives(mapOf(session.before.root).security, renamedSchemes(session))
  const now = alternatives(mapOf(session.after.root).security)
  compareAlternatives(session, old, now, {
    head: 'api-global',
    location: '/security',
    isUnused: pairs.every(({ before, after }) => isStated(before) || isStated(after)),
  })
}

function alternatives(raw: unknown, renamed?: ReadonlyMap<string, string>): Alternative[] {
  if (!Array.isArray(raw)) return []
  return raw
    .filter(isMap)
    .map(
      (item) =>
        new Map(
          Object.entries(item).map(([name, scopes]) => [
            renamed?.get(name) ?? name,
            stringsOf(scopes),
          ]),
        ),
    )
}

function compareAlternatives(
  session: Session,
  old: Alternative[],
  now: Alternative[],
  target: Target,
): void {
  const { head, isUnused, ...place } = target
  const add = (id: string, level: Change['level'], message: string) =>
    session.collector.add({
      id: `${head}-security-${id}`,
      level: isUnused ? 'info' : level,
      message,
      ...place,
    })
  const open: Alternative = new Map()
  const offered = now.length > 0 ? now : [open]
  const unmatched = [...now]
  for (const alternative of old) {
    const at = unmatched.findIndex((other) => key(other) === key(alternative))
    const [other] = at === -1 ? [] : unmatched.splice(at, 1)
    const served = offered.some((one) => contentWith(one, alternative))
    if (other) compareScopes(alternative, other, served, add)
    else if (alternative.size > 0) {
      const message = `the security requirement ${show(key(alternative))} was removed`
      add('removed', served ? 'info' : 'breaking', message)
    }
  }
  const wasOpen = old.length === 0 || old.some((alternative) => alternative.size === 0)
  const stillOpen = offered.some((alternative) => alternative.size === 0)
  for (const alternative of unmatched) {
    if (alternative.size === 0) continue
    const message = `the security requirement ${show(key(alternative))} was added`
    add('added', wasOpen && !stillOpen ? 'breaking' : 'info', message)
  }
  const isReported = unmatched.some((alternative) => alternative.size > 0)
  if (wasOpen && !stillOpen && !isReported)
    add('removed', 'breaking', 'calls without credentials are refused now')
  if (!wasOpen && now.some((alternative) => alternative.size === 0))
    add('added', 'info', 'calls without credentials are accepted now')
}

function key(alternative: Alternative): string {
  return [...alternative.keys()].sort().join(' and ')
}

/** Whether credentials made for `held` satisfy `asked`. */
function contentWith(asked: Alternative, held: Alternative): boolean {
  return [...asked].every(([name, scopes]) => {
    const owned = held.get(name)
    return owned !== undefined && scopes.every((scope) => owned.includes(scope))
  })
}

function compareScopes(
  old: Alternative,
  now: Alternative,
  served: boolean,
  add: (id: string, level: Change['level'], message: string) => void,
): void {
  for (const [name, scopes] of now) {
    const before = old.get(name) ?? []
    for (const scope of scopes.filter((one) => !before.includes(one))) {
      add(
        'scope-added',
        served ? 'info' : 'breaking',
        `scope ${show(scope)} was added to ${show(name)}`,
      )
    }
    for (const scope of before.filter((one) => !scopes.includes(one))) {
      add('scope-removed', 'info', `scope ${show(scope)} was removed from ${show(name)}`)
    }
  }
}
