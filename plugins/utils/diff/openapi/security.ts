/**
 * Security requirements: a list of alternatives, each a set of schemes with scopes. A client
 * breaks when none of the new alternatives is content with what one of the old ones asked for.
 */
import { isMap, type JsonMap, mapOf, show, stringsOf } from '../pointer.ts'
import type { Change } from '../types.ts'
import type { Session } from './compare.ts'
import type { OperationPair } from './paths.ts'

/** One alternative: scopes by scheme; empty means no credentials. */
type Alternative = ReadonlyMap<string, readonly string[]>

interface Target {
  /** 'api' or 'api-global'. */
  head: string
  location: string
  operation?: string
}

/** Reports changed requirements of an operation that states its own. */
export function compareOperationSecurity(session: Session, { before, after }: OperationPair): void {
  const stated = Array.isArray(before.raw.security) || Array.isArray(after.raw.security)
  if (!stated) return
  const old = alternatives(before.raw.security ?? mapOf(session.before.root).security)
  const now = alternatives(after.raw.security ?? mapOf(session.after.root).security)
  compareAlternatives(session, old, now, {
    head: 'api',
    location: after.pointer,
    operation: after.label,
  })
}

/** Reports changed requirements of the whole document. */
export function compareGlobalSecurity(session: Session): void {
  const old = alternatives(mapOf(session.before.root).security)
  const now = alternatives(mapOf(session.after.root).security)
  compareAlternatives(session, old, now, { head: 'api-global', location: '/security' })
}

function alternatives(raw: unknown): Alternative[] {
  if (!Array.isArray(raw)) return []
  return raw
    .filter(isMap)
    .map((item) => new Map(Object.entries(item).map(([name, scopes]) => [name, stringsOf(scopes)])))
}

function compareAlternatives(
  session: Session,
  old: Alternative[],
  now: Alternative[],
  target: Target,
): void {
  const { head, ...place } = target
  const add = (id: string, level: Change['level'], message: string) =>
    session.collector.add({ id: `${head}-security-${id}`, level, message, ...place })
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

/** Reports security schemes of the components (definitions) that changed. */
export function compareSchemes(session: Session): void {
  const [old, now] = [schemesOf(session.before.root), schemesOf(session.after.root)]
  const at = (name: string, side: typeof old) => `${side.pointer}/${name}`
  const add = (id: string, location: string, message: string, level: Change['level'] = 'info') =>
    session.collector.add({ id: `api-security-component-${id}`, level, location, message })
  for (const [name, scheme] of Object.entries(old.map)) {
    const other = now.map[name]
    if (!isMap(other))
      add('removed', at(name, old), `the security scheme ${show(name)} was removed`)
    else
      compareScheme(name, mapOf(scheme), other, (id, text, level) =>
        add(id, at(name, now), text, level),
      )
  }
  for (const name of Object.keys(now.map)) {
    if (!(name in old.map))
      add('added', at(name, now), `the security scheme ${show(name)} was added`)
  }
}

function schemesOf(root: JsonMap | boolean): { map: JsonMap; pointer: string } {
  const document = mapOf(root)
  if (isMap(document.securityDefinitions)) {
    return { map: document.securityDefinitions, pointer: '/securityDefinitions' }
  }
  return {
    map: mapOf(mapOf(document.components).securitySchemes),
    pointer: '/components/securitySchemes',
  }
}

function compareScheme(
  name: string,
  old: JsonMap,
  now: JsonMap,
  add: (id: string, text: string, level?: Change['level']) => void,
): void {
  if (old.type !== now.type) {
    add(
      'type-changed',
      `the type of scheme ${show(name)} changed from ${show(old.type)} to ${show(now.type)}`,
    )
    return
  }
  // Where and how the credential is sent.
  for (const field of ['in', 'name', 'scheme', 'openIdConnectUrl']) {
    const [a, b] = [String(old[field] ?? ''), String(now[field] ?? '')]
    if (a.toLowerCase() === b.toLowerCase()) continue
    add(
      `${field.toLowerCase()}-changed`,
      `${field} of scheme ${show(name)} changed from ${show(a)} to ${show(b)}`,
      'warning',
    )
  }
  const [flowsBefore, flowsAfter] = [flowsOf(old), flowsOf(now)]
  for (const [flow, a] of Object.entries(flowsBefore)) {
    const b = flowsAfter[flow]
    if (!isMap(a) || !isMap(b)) continue
    if (a.authorizationUrl !== b.authorizationUrl)
      add('oauth-url-changed', `authorizationUrl of ${show(name)} changed`)
    if (a.tokenUrl !== b.tokenUrl)
      add('oauth-token-url-changed', `tokenUrl of ${show(name)} changed`)
    compareDescribedScopes(name, mapOf(a.scopes), mapOf(b.scopes), add)
  }
}

function flowsOf(scheme: JsonMap): JsonMap {
  if (isMap(scheme.flows)) return scheme.flows
  return typeof scheme.flow === 'string' ? { [scheme.flow]: scheme } : {}
}

function compareDescribedScopes(
  name: string,
  old: JsonMap,
  now: JsonMap,
  add: (id: string, text: string) => void,
): void {
  for (const scope of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (old[scope] === now[scope]) continue
    const what = !(scope in old) ? 'added' : !(scope in now) ? 'removed' : 'changed'
    add(`oauth-scope-${what}`, `scope ${show(scope)} of scheme ${show(name)} was ${what}`)
  }
}
