/** All that the checks need to know of a gateway, asked of it once. */
import { takesBody } from '../shared/documents/request-places.ts'
import { PROOF_PATH } from './proof.ts'
import { member, type Outside, type Seen } from './outside.ts'

export interface Tool {
  name: string
  title?: string
  description?: string
  annotations?: {
    title?: string
    readOnlyHint?: boolean
    destructiveHint?: boolean
  }
  _meta?: Record<string, unknown>
}

/** A paid operation of the OpenAPI document, and what it answers to a caller without a key. */
export interface Probe {
  /** 'POST /v1/paid/echo'. */
  name: string
  hasInput: boolean
  seen: Seen
  /** PAYMENT-REQUIRED, decoded; null without it. */
  required: unknown
}

export interface View {
  publicUrl: string
  front: Seen
  openapi: Seen
  server: unknown
  /** As hosts ask for them that refuse dots. */
  tools: readonly Tool[]
  /** Well-known addresses that must be JSON or 404, and never a page. */
  wellKnown: readonly Seen[]
  /** Those by which a client of /mcp would find OAuth. */
  oauthOfMcp: readonly Seen[]
  mcpGet: Seen
  oauthCall: Seen
  resource: Seen
  issuer: Seen
  proof: Seen
  x402: Seen
  probes: readonly Probe[]
}

/** Probed paid operations at most; the rest of a large catalog is alike. */
const PROBES_MAX = 40
const TOOL_PAGES_MAX = 50

const WELL_KNOWN = [
  '/.well-known/oauth-protected-resource/mcp/oauth',
  '/.well-known/oauth-authorization-server/mcp/oauth',
  '/.well-known/openid-configuration/mcp/oauth',
  '/.well-known/agent-card.json',
  '/.well-known/x402',
  '/.well-known/did.json',
]
const OAUTH_OF_MCP = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/openid-configuration',
]

export async function viewOf(outside: Outside, publicUrl: string): Promise<View> {
  const at = (path: string) => outside.ask(`${publicUrl}${path}`)
  const [front, openapi, initialized, tools, wellKnown, oauthOfMcp] = await Promise.all([
    at('/'),
    at('/openapi.json'),
    outside.rpc(`${publicUrl}/mcp`, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'coinop-publish', version: '1' },
    }),
    toolsOf(outside, `${publicUrl}/mcp?names=underscore`),
    Promise.all(WELL_KNOWN.map(at)),
    Promise.all(OAUTH_OF_MCP.map(at)),
  ])
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const [mcpGet, oauthCall, proof] = await Promise.all([
    at('/mcp'),
    outside.postJson(`${publicUrl}/mcp/oauth`, call),
    at(PROOF_PATH),
  ])
  const x402 = wellKnown[4]!
  return {
    publicUrl,
    front,
    openapi,
    server: member(initialized, 'serverInfo') ?? null,
    tools,
    wellKnown,
    oauthOfMcp,
    mcpGet,
    oauthCall,
    resource: wellKnown[0]!,
    issuer: wellKnown[1]!,
    proof,
    x402,
    probes: await probesOf(outside, publicUrl, openapi.json),
  }
}

async function toolsOf(outside: Outside, url: string): Promise<Tool[]> {
  const tools: Tool[] = []
  let cursor: unknown
  for (let page = 0; page < TOOL_PAGES_MAX; page++) {
    const result = await outside.rpc(url, 'tools/list', cursor === undefined ? {} : { cursor })
    const listed = member(result, 'tools')
    if (Array.isArray(listed)) tools.push(...(listed as Tool[]))
    cursor = member(result, 'nextCursor')
    if (typeof cursor !== 'string') break
  }
  return tools
}

/** Calls every paid operation without a payment and with an input that no skill takes. */
async function probesOf(outside: Outside, publicUrl: string, openapi: unknown): Promise<Probe[]> {
  const paths = Object.entries((member(openapi, 'paths') ?? {}) as Record<string, object>)
  const paid = paths.flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => member(operation, 'x-payment-info') !== undefined)
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const probes: Probe[] = []
  for (const { path, method, operation } of paid.slice(0, PROBES_MAX)) {
    const url = publicUrl + path.replaceAll(/\{[^}]*\}/g, 'probe')
    const seen = await outside.ask(url, {
      method,
      ...(takesBody(method) && { body: '[]', headers: { 'content-type': 'application/json' } }),
    })
    const hasInput =
      member(operation, 'requestBody', 'content') !== undefined ||
      member(operation, 'parameters') !== undefined
    probes.push({ name: `${method} ${path}`, hasInput, seen, required: requiredOf(seen) })
  }
  return probes
}

function requiredOf({ headers }: Seen): unknown {
  const header = headers.get('payment-required')
  if (header === null) return null
  try {
    return JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  } catch {
    return null
  }
}
