/**
 * The security schemes of the components (definitions). A client that uses one breaks when its kind
 * changes, or the place where its credential is looked for.
 */
import type { Document } from '../document.ts'
import { canonical, isMap, type JsonMap, join, mapOf, show, stringsOf } from '../pointer.ts'
import type { Change } from '../types.ts'
import type { Operation } from './model.ts'
import { readPaths } from './read-operations.ts'
import type { Session } from './session.ts'

/** Scopes that are asked for, by the name of the scheme. */
type Uses = ReadonlyMap<string, ReadonlySet<string>>

interface Pair {
  name: string
  old: JsonMap
  now: JsonMap
  /** Operations of both versions ask for it. */
  isUsed: boolean
  /** Scopes that operations of the old version ask for. */
  scopes: ReadonlySet<string>
  add(id: string, text: string, level?: Change['level']): void
}

/** Reports security schemes that changed, came or went. */
export function compareSchemes(session: Session): void {
  const [old, now] = [schemesOf(session.before), schemesOf(session.after)]
  const uses = [usesOf(session.before), usesOf(session.after)] as const
  const renamed = renamedSchemes(session)
  const add = (id: string, location: string, message: string, level: Change['level'] = 'info') =>
    session.collector.add({ id: `api-security-component-${id}`, level, location, message })
  for (const [name, scheme] of Object.entries(old.map)) {
    const other = now.map[name]
    const isUsed = uses[0].has(name) && uses[1].has(name)
    if (!isMap(other)) {
      const message = `the security scheme ${show(name)} was removed`
      add(
        'removed',
        join(old.pointer, name),
        message,
        isUsed && !renamed.has(name) ? 'breaking' : 'info',
      )
      continue
    }
    const location = join(now.pointer, name)
    compareScheme({
      name,
      old: mapOf(scheme),
      now: other,
      isUsed,
      scopes: uses[0].get(name) ?? new Set(),
      add: (id, text, level) => add(id, location, text, level),
    })
  }
  for (const name of Object.keys(now.map)) {
    if (!(name in old.map))
      add('added', join(now.pointer, name), `the security scheme ${show(name)} was added`)
  }
}

const RENAMED = new WeakMap<Session, Map<string, string>>()

/** The new names of schemes that are the same but for their name, by the old one. */
export function renamedSchemes(session: Session): ReadonlyMap<string, string> {
  const known = RENAMED.get(session)
  if (known) return known
  const renamed = new Map<string, string>()
  const [old, now] = [schemesOf(session.before).map, schemesOf(session.after).map]
  const come = Object.keys(now).filter((name) => !(name in old))
  for (const name of Object.keys(old)) {
    if (name in now) continue
    const at = come.findIndex((other) => definition(old[name]) === definition(now[other]))
    if (at !== -1) renamed.set(name, come.splice(at, 1)[0]!)
  }
  RENAMED.set(session, renamed)
  return renamed
}

function definition(scheme: unknown): string {
  const { description: _, ...rest } = mapOf(scheme)
  return canonical(rest)
}

function schemesOf(document: Document): { map: JsonMap; pointer: string } {
  const root = mapOf(document.root)
  if (isMap(root.securityDefinitions))
    return { map: root.securityDefinitions, pointer: '/securityDefinitions' }
  const pointer = '/components/securitySchemes'
  const map = mapOf(mapOf(root.components).securitySchemes)
  const resolved = Object.entries(map).map(([name, raw]) => [
    name,
    document.part({ raw, pointer: join(pointer, name) }).raw,
  ])
  return { map: Object.fromEntries(resolved) as JsonMap, pointer }
}

/** What the operations of a document ask for; the document's own requirements count where none is stated. */
function usesOf(document: Document): Uses {
  const root = mapOf(document.root)
  const uses = new Map<string, Set<string>>()
  const note = (security: unknown): void => {
    for (const alternative of Array.isArray(security) ? security.filter(isMap) : []) {
      for (const [name, scopes] of Object.entries(alternative)) {
        const known = uses.get(name) ?? new Set()
        uses.set(name, known)
        for (const scope of stringsOf(scopes)) known.add(scope)
      }
    }
  }
  const paths = readPaths(document, document.child({ raw: root, pointer: '' }, 'paths'))
  const operations: Operation[] = paths.flatMap((item) => [...item.operations.values()])
  if (operations.length === 0) note(root.security)
  for (const { raw } of operations) note(raw.security ?? root.security)
  return uses
}

function compareScheme(pair: Pair): void {
  const { name, old, now, isUsed, add } = pair
  if (old.type !== now.type) {
    const text = `the type of scheme ${show(name)} changed from ${show(old.type)} to ${show(now.type)}`
    add('type-changed', text, isUsed ? 'breaking' : 'info')
    return
  }
  // Where and how the credential is sent.
  for (const field of ['in', 'name', 'scheme', 'openIdConnectUrl']) {
    const [a, b] = [String(old[field] ?? ''), String(now[field] ?? '')]
    if (a === b || (field !== 'openIdConnectUrl' && a.toLowerCase() === b.toLowerCase())) continue
    const text = `${field} of scheme ${show(name)} changed from ${show(a)} to ${show(b)}`
    const isBreaking = isUsed && field !== 'openIdConnectUrl'
    add(`${field.toLowerCase()}-changed`, text, isBreaking ? 'breaking' : 'warning')
  }
  compareFlows(pair)
}

function compareFlows({ name, old, now, isUsed, scopes, add }: Pair): void {
  const [before, after] = [flowsOf(old), flowsOf(now)]
  const doubt: Change['level'] = isUsed ? 'warning' : 'info'
  for (const [flow, raw] of Object.entries(before)) {
    const [a, b] = [mapOf(raw), after[flow]]
    if (!isMap(b)) {
      const text = `the flow ${show(flow)} of scheme ${show(name)} was removed`
      add('oauth-flow-removed', text, isUsed ? 'breaking' : 'info')
      continue
    }
    for (const [field, id] of [
      ['authorizationUrl', 'oauth-url-changed'],
      ['tokenUrl', 'oauth-token-url-changed'],
      ['refreshUrl', 'oauth-refresh-url-changed'],
      ['deviceAuthorizationUrl', 'oauth-device-authorization-url-changed'],
    ] as const) {
      if (a[field] === b[field]) continue
      // A client that never heard of an address goes on without it.
      const level = a[field] === undefined ? 'info' : doubt
      add(
        id,
        `${field} of scheme ${show(name)} changed from ${show(a[field] ?? 'none')} to ${show(b[field] ?? 'none')}`,
        level,
      )
    }
    compareDescribedScopes(name, mapOf(a.scopes), mapOf(b.scopes), (id, scope, text) =>
      add(id, text, id.endsWith('removed') && scopes.has(scope) ? doubt : 'info'),
    )
  }
  for (const flow of Object.keys(after)) {
    if (!(flow in before))
      add('oauth-flow-added', `the flow ${show(flow)} of scheme ${show(name)} was added`)
  }
}

/** Flows by their OpenAPI 3 names; Swagger 2 has one, in the scheme itself. */
function flowsOf(scheme: JsonMap): JsonMap {
  if (isMap(scheme.flows)) {
    const flows = Object.entries(scheme.flows).filter(([name]) => !name.startsWith('x-'))
    return Object.fromEntries(flows)
  }
  return typeof scheme.flow === 'string' ? { [scheme.flow]: scheme } : {}
}

function compareDescribedScopes(
  name: string,
  old: JsonMap,
  now: JsonMap,
  add: (id: string, scope: string, text: string) => void,
): void {
  for (const scope of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (old[scope] === now[scope]) continue
    const what = !(scope in old) ? 'added' : !(scope in now) ? 'removed' : 'changed'
    add(`oauth-scope-${what}`, scope, `scope ${show(scope)} of scheme ${show(name)} was ${what}`)
  }
}
