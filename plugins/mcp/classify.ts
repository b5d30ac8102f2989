/**
 * Which era a request belongs to: the body decides, the version header is a cross-check (MCP
 * 2026-07-28 `basic/versioning`; both eras may share one endpoint).
 */
import { checkEnvelope, checkHeaders, hasClaim } from './envelope.ts'
import {
  CODE,
  LEGACY_VERSIONS,
  META,
  MODERN_VERSION,
  namesModern,
  type Era,
  type Json,
  type RpcError,
  type RpcRequest,
} from './protocol.ts'

export type Classified =
  | { ok: true; era: Era; version: string; meta: Json }
  /** Answered with HTTP 400. */
  | { ok: false; error: RpcError }

const NO_META: Json = {}

/** The era and revision of a request, or the error its envelope or headers deserve. */
export function classify(request: RpcRequest, headers: Headers): Classified {
  const header = headers.get('mcp-protocol-version')
  const meta = (request.params?.['_meta'] ?? NO_META) as Json
  if (hasClaim(meta)) return classifyModern(request, meta, headers)
  if (header !== null && namesModern(header)) {
    if (request.method === 'initialize')
      return rejected(
        CODE.headerMismatch,
        `MCP-Protocol-Version names ${header}, which has no initialize`,
      )
    return rejected(
      CODE.invalidParams,
      `MCP-Protocol-Version names ${header}, whose requests carry params._meta with ${META.protocolVersion} and ${META.clientCapabilities}`,
    )
  }
  // `initialize` negotiates in its body; what a client sends as header with it does not matter.
  if (header === null || request.method === 'initialize' || LEGACY_VERSIONS.includes(header))
    return { ok: true, era: 'legacy', version: header ?? '', meta }
  return unsupported(header)
}

function classifyModern(request: RpcRequest, meta: Json, headers: Headers): Classified {
  const problem = checkEnvelope(meta)
  if (problem) return rejected(CODE.invalidParams, problem)
  const version = meta[META.protocolVersion] as string
  const mismatch = checkHeaders(request, version, headers)
  if (mismatch) return rejected(CODE.headerMismatch, mismatch)
  if (version !== MODERN_VERSION) return unsupported(version)
  return { ok: true, era: 'modern', version, meta }
}

/** 400 for a version that is not spoken here; `supported` is what server/discover says. */
function unsupported(requested: string): Classified {
  return {
    ok: false,
    error: {
      code: CODE.unsupportedVersion,
      message: `Unsupported protocol version: ${requested.slice(0, 64)}`,
      data: { supported: [MODERN_VERSION], requested: requested.slice(0, 64) },
    },
  }
}

function rejected(code: number, message: string): Classified {
  return { ok: false, error: { code, message } }
}
