/** The MCP endpoint on real parts (meter, ledger, keys, credits rail) without a socket. */
import { createVault } from '../../host/secrets/vault.ts'
import { serveRoute } from '../../kernel/http/route-adapter.ts'
import { newId } from '../../kernel/ids.ts'
import { ToolCaller } from '../../host/plugin-services/tool-caller.ts'
import type { CatalogSnapshot, MountedSkill } from '../../kernel/plugins/catalog.ts'
import { Quotes } from '../../kernel/metering/quotes.ts'
import type { PluginEnv } from '../../kernel/plugins/contract.ts'
import type { Prompt, Resource } from '../../kernel/plugins/mcp-contract.ts'
import type { Database } from '../../kernel/storage/contract.ts'
import mcp from '../../plugins/mcp/index.ts'
import { documentsOf, x402Shown } from '../../plugins/x402/documents.ts'
import { silentLog } from './log.ts'
import { meterOver } from './metering.ts'
import { NO_OPERATOR } from './no-operator.ts'

export const MODERN = '2026-07-28'

export interface McpAnswer {
  status: number
  headers: Headers
  text: string
  json: any
}
export interface McpCatalog {
  skills: readonly MountedSkill[]
  prompts?: readonly Prompt[]
  resources?: readonly Resource[]
}

/** The endpoint over a catalog that `show` replaces. */
export async function mcpOver(db: Database, first: McpCatalog, config: object = {}) {
  const world = await meterOver(db)
  let snapshot = snapshotOf(first)
  const listeners = new Set<() => void>()
  const shown = [
    ...world.rails.list(),
    { id: 'x402', ...x402Shown, documents: () => documentsOf([]) },
  ]
  const services = {
    catalog: {
      current: () => snapshot,
      onChange: (listener: () => void) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    calls: new ToolCaller({
      meter: world.meter,
      quotes: new Quotes('http://localhost'),
      auth: world.auth,
      enter: () => () => {},
      observe: () => {},
    }),
    vault: createVault(Buffer.alloc(32, 7)),
    documents: {
      openapi: () => '{"openapi":"3.1.0"}',
      llms: () => '# Coinop',
      prices: () => '{}',
      rails: () => shown,
      operator: NO_OPERATOR,
    },
  }
  const env = {
    config,
    log: silentLog,
    publicUrl: 'https://gw.example',
    now: () => new Date(),
    service: (name: keyof typeof services) => services[name],
  } as unknown as PluginEnv<never>
  const [route] = (await mcp.setup(env)).routes!
  const send = async (request: Request, search = ''): Promise<Response> =>
    serveRoute(
      route!,
      { request, params: {}, search, requestId: newId(), clientAddress: '127.0.0.1' },
      { auth: world.auth, log: silentLog },
    )
  return {
    world,
    show(catalog: McpCatalog) {
      snapshot = snapshotOf(catalog)
      for (const listener of listeners) listener()
    },
    /** The raw answer to a body, which is sent as it is when it is text. */
    async open(
      body: unknown,
      headers: Readonly<Record<string, string | undefined>> = {},
      options: { search?: string; signal?: AbortSignal } = {},
    ): Promise<Response> {
      const request = new Request('http://localhost/mcp', {
        method: 'POST',
        headers: JSON.parse(
          JSON.stringify({ 'content-type': 'application/json', ...headers }),
        ) as Record<string, string>,
        body: bodyOf(body),
        signal: options.signal,
      })
      return send(request, options.search)
    },
    async post(
      body: unknown,
      headers: Readonly<Record<string, string | undefined>> = {},
      search = '',
    ): Promise<McpAnswer> {
      return answerOf(await this.open(body, headers, { search }))
    },
    close: () => world.close(),
  }
}

function bodyOf(body: unknown): BodyInit {
  if (body instanceof Uint8Array) return new Blob([body as Uint8Array<ArrayBuffer>])
  return typeof body === 'string' ? body : JSON.stringify(body)
}

async function answerOf(response: Response): Promise<McpAnswer> {
  const text = await response.text()
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  return { status: response.status, headers: response.headers, text, json }
}

/** A request of the old era. */
export function legacy(method: string, params?: object, id: unknown = 1): object {
  return { jsonrpc: '2.0', id, method, ...(params && { params }) }
}

/** A request of 2026-07-28 with the headers that go with it. */
export function modern(
  method: string,
  params: Record<string, unknown> = {},
  meta: Record<string, unknown> = {},
): [body: Record<string, unknown>, headers: Record<string, string>] {
  const name = params['name'] ?? params['uri']
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': MODERN,
        'io.modelcontextprotocol/clientCapabilities': {},
        ...meta,
      },
    },
  }
  const headers: Record<string, string> = { 'mcp-protocol-version': MODERN, 'mcp-method': method }
  if (typeof name === 'string') headers['mcp-name'] = name
  return [body, headers]
}

function snapshotOf({ skills, prompts, resources }: McpCatalog): CatalogSnapshot {
  return {
    version: newId(),
    priceVersion: 1,
    skills,
    prompts,
    resources,
    tool(name) {
      for (const mounted of skills) {
        const tool = mounted.tools.find(
          (tool) => tool.name === name || tool.name.replaceAll('.', '_') === name,
        )
        if (tool) return { mounted, tool }
      }
      return null
    },
  }
}
