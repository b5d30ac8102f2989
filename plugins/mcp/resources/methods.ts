/** resources/list, resources/templates/list and resources/read. */
import type { Resource } from '#kernel'
import { CODE, ProtocolError, type Era, type Json } from '../protocol.ts'
import { membersOf } from '../reply.ts'

/** Resource not found before 2026-07-28; that revision uses −32602 (SEP-2164). */
const LEGACY_NOT_FOUND = -32002

export function isTemplate(uri: string): boolean {
  return uri.includes('{')
}

export function resourceEntry(resource: Resource): { name: string; value: object } {
  const { uri, name, title, description, mimeType } = resource
  return { name, value: { uri, name, title, description, mimeType } }
}

export function templateEntry(resource: Resource): { name: string; value: object } {
  const { uri, name, title, description, mimeType } = resource
  return { name, value: { uriTemplate: uri, name, title, description, mimeType } }
}

/** JSON members of the resources/read result; `contents` is never empty. */
export async function readResource(
  resources: readonly Resource[],
  params: Json | undefined,
  era: Era,
): Promise<string> {
  const uri = params?.['uri']
  if (typeof uri !== 'string')
    throw new ProtocolError(CODE.invalidParams, 'Invalid params: uri must be a string')
  for (const resource of resources) {
    const values = matchUri(resource.uri, uri)
    const contents = values && (await resource.read(uri, values))
    if (contents) return membersOf({ contents: [{ mimeType: resource.mimeType, ...contents }] })
  }
  throw unknown(uri, era)
}

/**
 * JSON members of the `_meta` that resources/subscribe and /unsubscribe answer with: without
 * sessions no update can be pushed, so none is promised (`subscribe` is not advertised either).
 * Clients that ask all the same are told, instead of being stopped by an error.
 */
export function subscriptionNote(
  resources: readonly Resource[],
  params: Json | undefined,
  era: Era,
): string {
  const uri = params?.['uri']
  if (typeof uri !== 'string')
    throw new ProtocolError(CODE.invalidParams, 'Invalid params: uri must be a string')
  if (!resources.some((resource) => matchUri(resource.uri, uri) !== null)) throw unknown(uri, era)
  return membersOf({
    'coinop/subscription': 'No updates are sent: this server keeps no sessions. Read it again.',
  })
}

function unknown(uri: string, era: Era): ProtocolError {
  const code = era === 'modern' ? CODE.invalidParams : LEGACY_NOT_FOUND
  return new ProtocolError(code, `Resource not found: ${uri.slice(0, 512)}`, { uri })
}

/** The values of a template's {names} in `uri`, each within one path segment; null: no match. */
function matchUri(pattern: string, uri: string): Record<string, string> | null {
  if (!isTemplate(pattern)) return pattern === uri ? {} : null
  const names: string[] = []
  const source = pattern
    .split(/\{([A-Za-z0-9_]+)\}/)
    .map((part, index) => {
      if (index % 2 === 0) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      names.push(part)
      return '([^/?#]+)'
    })
    .join('')
  const found = new RegExp(`^${source}$`).exec(uri)
  if (!found) return null
  return Object.fromEntries(names.map((name, index) => [name, decoded(found[index + 1]!)]))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
