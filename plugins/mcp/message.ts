/**
 * What one JSON value is as a JSON-RPC message. json-rpc-2.0 takes ids and params that the
 * specification forbids and runs notifications, so the shape is settled here, before it.
 */
import { CODE, isObject, type RpcError, type RpcId, type RpcRequest } from './protocol.ts'

export type Shape =
  | { kind: 'request'; request: RpcRequest }
  | { kind: 'notification'; method: string; params: unknown }
  /** An answer to a request of ours. */
  | { kind: 'response'; response: Record<string, unknown> }
  | { kind: 'invalid'; id: RpcId | null; error: RpcError }

/** Request, notification or response (JSON-RPC 2.0 §4, MCP `basic`), or why it is none. */
export function shapeOf(value: unknown): Shape {
  if (!isObject(value)) return invalid(null, 'A message must be a JSON object')
  const hasId = Object.hasOwn(value, 'id')
  const { id, method, params } = value
  const known = isId(id) ? id : null
  if (value['jsonrpc'] !== '2.0') return invalid(known, 'jsonrpc must be "2.0"')
  if (method === undefined) {
    const isAnswer = Object.hasOwn(value, 'result') || isObject(value['error'])
    if (isAnswer && known !== null) return { kind: 'response', response: value }
    return invalid(known, 'A message needs a method, or an id with a result or an error')
  }
  if (typeof method !== 'string') return invalid(known, 'method must be a string')
  if (params !== undefined && !isObject(params)) return invalid(known, 'params must be an object')
  if (!hasId) return { kind: 'notification', method, params }
  if (known === null) return invalid(null, 'id must be a string or an integer')
  return {
    kind: 'request',
    request: { jsonrpc: '2.0', id: known, method, ...(params !== undefined && { params }) },
  }
}

function isId(value: unknown): value is RpcId {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

function invalid(id: RpcId | null, why: string): Shape {
  return {
    kind: 'invalid',
    id,
    error: { code: CODE.invalidRequest, message: `Invalid request: ${why}` },
  }
}
