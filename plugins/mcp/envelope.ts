/**
 * The envelope of 2026-07-28 in `params._meta`, and the headers that must repeat the body
 * (`Mcp-Method`, `Mcp-Name`, SEP-2243) so that intermediaries can route without parsing it.
 */
import { isObject, META, type Json, type RpcRequest } from './protocol.ts'

/** Methods whose `Mcp-Name` header repeats a member of params. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}
const SENTINEL = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/

/** Whether a request claims to carry the envelope. */
export function hasClaim(meta: unknown): meta is Json {
  return isObject(meta) && Object.hasOwn(meta, META.protocolVersion)
}

/** What is wrong with a claimed envelope; null when it is well-formed. `clientInfo` is optional. */
export function checkEnvelope(meta: Json): string | null {
  if (typeof meta[META.protocolVersion] !== 'string')
    return `_meta["${META.protocolVersion}"] must be a string`
  if (!isObject(meta[META.clientCapabilities]))
    return `_meta["${META.clientCapabilities}"] must be an object`
  const info = meta[META.clientInfo]
  if (info === undefined) return null
  const isInfo =
    isObject(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string'
  return isInfo ? null : `_meta["${META.clientInfo}"] must have a name and a version`
}

/** Which header is missing or disagrees with the body; null when all agree. */
export function checkHeaders(
  request: RpcRequest,
  version: string,
  headers: Headers,
): string | null {
  const wrong =
    differs('MCP-Protocol-Version', headers.get('mcp-protocol-version'), version) ??
    differs('Mcp-Method', headers.get('mcp-method'), request.method)
  if (wrong) return wrong
  const member = Object.hasOwn(NAMED, request.method) ? NAMED[request.method] : undefined
  const expected = member === undefined ? undefined : request.params?.[member]
  if (typeof expected !== 'string') return null
  const header = headers.get('mcp-name')
  const name = header === null ? null : decodeSentinel(header)
  if (name === undefined) return 'Mcp-Name is not valid base64 of UTF-8 text'
  return differs('Mcp-Name', name, expected)
}

function differs(name: string, header: string | null, expected: string): string | null {
  if (header === expected) return null
  if (header === null) return `The ${name} header is missing`
  return `The ${name} header disagrees with the body: it says ${JSON.stringify(header.slice(0, 100))}, the body ${JSON.stringify(expected.slice(0, 100))}`
}

/** A header value, decoded when it is a `=?base64?…?=` sentinel; undefined when that is malformed. */
export function decodeSentinel(header: string): string | undefined {
  if (!header.startsWith('=?base64?') || !header.endsWith('?=')) return header
  const encoded = SENTINEL.exec(header)?.[1]
  if (encoded === undefined || encoded.length % 4 !== 0) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'))
  } catch {
    return undefined
  }
}
