/** Revisions, reserved names and error codes of MCP and JSON-RPC, as far as this endpoint uses them. */

/** The revision without handshake: an envelope per request. */
export const MODERN_VERSION = '2026-07-28'
/** Revisions with `initialize`, newest first. */
export const LEGACY_VERSIONS: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
]
/** The only revision with JSON-RPC batches; also what an absent version header means. */
export const BATCH_VERSION = '2025-03-26'

export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
} as const

/** JSON-RPC 2.0 §5.1 and MCP 2026-07-28 `basic/index`. */
export const CODE = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
  /** Not reserved by JSON-RPC: the HTTP status 401 in the body that goes with it. */
  unauthorized: 401,
} as const

export type Era = 'modern' | 'legacy'
export type RpcId = string | number
export type Json = Record<string, unknown>

export interface RpcError {
  code: number
  message: string
  data?: unknown
}
export interface RpcRequest {
  jsonrpc: '2.0'
  id: RpcId
  method: string
  params?: Json
}

/** A protocol error on its way out of a method. Its text is public. */
export class ProtocolError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = 'ProtocolError'
    this.code = code
    this.data = data
  }
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a version text names the envelope revision or a later one. */
export function namesModern(version: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= MODERN_VERSION
}
