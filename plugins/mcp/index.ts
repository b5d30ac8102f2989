/**
 * The MCP adapter: every skill of every mounted product as a tool at POST /mcp, for clients of the
 * 2026-07-28 revision and of all that came before it.
 */
import { Type } from 'typebox'
import { definePlugin } from '#kernel'
import { createDispatch } from './dispatch.ts'
import { Endpoint } from './endpoint.ts'
import { InputRequired } from './input-required.ts'
import { instructionsOf } from './instructions.ts'
import { methodsOf } from './methods.ts'
import { originCheck } from './origin.ts'
import { catalogPrompts } from './prompts/catalog.ts'
import type { ServerInfo } from './reply.ts'
import { RpcBody, RpcRefusal } from './openapi.ts'
import { catalogResources } from './resources/catalog.ts'
import { MCP_BODY_BYTES, MCP_ENDPOINT, type McpEndpoint } from '../shared/mcp/contract.ts'
import { Surfaces } from './surface.ts'

const VERSION = '0.1.0'

const McpConfig = Type.Object(
  {
    allowed_origins: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
        maxItems: 100,
        description:
          'Origins of web pages that may call the endpoint, beside this gateway and loopback; "*" admits any',
      }),
    ),
    names: Type.Optional(
      Type.Enum(['dotted', 'underscore'], {
        description:
          'How tool names are listed when the URL has no ?names=; default dotted, and underscore at /mcp/oauth',
      }),
    ),
  },
  { additionalProperties: false },
)

export default definePlugin({
  id: 'mcp',
  version: VERSION,
  kernel: '^1.0.0',
  config: McpConfig,
  requires: ['catalog', 'calls', 'documents', 'vault'],
  setup(env) {
    // Read when a request comes: services and the public URL exist only once the gateway runs.
    let endpoint: Endpoint | null = null
    const make = (): Endpoint => {
      const { operator } = env.service('documents')
      const info: ServerInfo = {
        name: 'coinop',
        title: operator.name ?? 'Coinop',
        version: VERSION,
        websiteUrl: env.publicUrl,
        ...(operator.logoUrl !== null && { icons: [{ src: operator.logoUrl }] }),
      }
      const calls = env.service('calls')
      const input = new InputRequired(env.service('vault'), info)
      const rails = () => env.service('documents').rails()
      const instructions = () => instructionsOf(env.publicUrl, rails())
      const deps = { calls, info, input, instructions }
      return new Endpoint({
        catalog: env.service('catalog'),
        calls,
        surfaces: new Surfaces({
          info,
          rails,
          prompts: catalogPrompts,
          resources: (snapshot, naming) =>
            catalogResources(snapshot, env.service('documents'), naming),
        }),
        dispatch: {
          modern: createDispatch(methodsOf('modern', deps), env.log),
          legacy: createDispatch(methodsOf('legacy', deps), env.log),
        },
        isAllowedOrigin: originCheck(() => env.publicUrl, env.config.allowed_origins ?? []),
        configuredNames: env.config.names ?? null,
      })
    }
    const ofOthers: McpEndpoint = {
      serve: (request, order) => (endpoint ??= make()).handle(request, order),
    }
    return {
      provides: { [MCP_ENDPOINT]: ofOthers },
      routes: [
        {
          method: 'POST',
          path: '/mcp',
          auth: 'public',
          summary: 'The same skills as MCP tools (streamable HTTP, stateless)',
          description:
            'JSON-RPC 2.0. A tool call is paid as its HTTP route is: by API key, or by a payment in `_meta`; a call without either answers with what may be paid.',
          tag: 'MCP',
          input: RpcBody,
          refusal: RpcRefusal,
          statuses: [200, 202, 401, 403, 404, 413],
          bodyBytes: MCP_BODY_BYTES,
          handler: (request) => (endpoint ??= make()).handle(request),
        },
      ],
    }
  },
})
