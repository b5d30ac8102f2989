/** What is described for the whole document: component schemas, security, servers. */
import { isMap, type JsonMap, join, mapOf, show, stringsOf } from '../pointer.ts'
import type { Collector } from '../report.ts'
import type { OperationPair } from './model.ts'
import { compareGlobalSecurity } from './security.ts'
import { compareSchemes } from './security-schemes.ts'
import type { Session } from './session.ts'

/** Reports changes outside the operations; uses of a component are reported where it is used. */
export function compareComponents(session: Session, pairs: readonly OperationPair[]): void {
  compareGlobalSecurity(session, pairs)
  compareSchemes(session)
  compareServers(session)
  const [old, now] = [schemasOf(session.before.root), schemasOf(session.after.root)]
  for (const name of Object.keys(old.map)) {
    if (name in now.map) continue
    session.collector.add({
      id: 'api-schema-removed',
      level: 'info',
      location: join(old.pointer, name),
      message: `the schema ${show(name)} was removed`,
    })
  }
}

function schemasOf(root: JsonMap | boolean): { map: JsonMap; pointer: string } {
  const document = mapOf(root)
  if (isMap(document.definitions)) return { map: document.definitions, pointer: '/definitions' }
  return { map: mapOf(mapOf(document.components).schemas), pointer: '/components/schemas' }
}

function compareServers({ before, after, collector }: Session): void {
  const [old, now] = [mapOf(before.root), mapOf(after.root)]
  // A Swagger 2 document and its OpenAPI 3 translation name servers differently.
  if ((before.version === '2.0') !== (after.version === '2.0')) return
  const [left, right] = [serversOf(old), serversOf(now)]
  for (const url of left.filter((one) => !right.includes(one))) {
    const message = `the server ${show(url)} was removed`
    collector.add({
      id: 'api-server-removed',
      level: 'info',
      location: '/servers',
      message,
      before: url,
    })
  }
  for (const url of right.filter((one) => !left.includes(one))) {
    const message = `the server ${show(url)} was added`
    collector.add({
      id: 'api-server-added',
      level: 'info',
      location: '/servers',
      message,
      after: url,
    })
  }
  if (before.version === '2.0') compareAddress(collector, old, now)
}

/** In Swagger 2 the base path and the schemes are part of every address, and there is one host. */
function compareAddress(collector: Collector, old: JsonMap, now: JsonMap): void {
  const [base, newBase] = [old.basePath ?? '/', now.basePath ?? '/']
  if (base !== newBase) {
    const message = `basePath changed from ${show(base)} to ${show(newBase)}`
    const change = { id: 'api-base-path-changed', level: 'warning' as const, location: '/basePath' }
    collector.add({ ...change, message, before: base, after: newBase })
  }
  const schemes = stringsOf(now.schemes)
  if (schemes.length === 0) return
  for (const scheme of stringsOf(old.schemes).filter((one) => !schemes.includes(one))) {
    const message = `the scheme ${show(scheme)} was removed`
    const change = { id: 'api-scheme-removed', level: 'warning' as const, location: '/schemes' }
    collector.add({ ...change, message, before: scheme })
  }
}

function serversOf(document: JsonMap): string[] {
  if (document.swagger !== undefined) {
    return typeof document.host === 'string' ? [document.host] : []
  }
  const servers = Array.isArray(document.servers) ? document.servers : []
  return servers.flatMap((server) =>
    isMap(server) && typeof server.url === 'string' ? [server.url] : [],
  )
}
