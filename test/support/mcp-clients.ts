/** The official MCP clients in every way they connect, behind one small face. */
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const INFO = { name: 'coinop tests', version: '1' }

export interface CallOptions {
  meta?: Record<string, unknown>
  onProgress?(progress: { progress: number; total?: number }): void
}
export interface McpClient {
  /** The revision agreed on. */
  version: string | undefined
  instructions: string | undefined
  listTools(): Promise<any[]>
  listPrompts(): Promise<any[]>
  getPrompt(name: string, args: Record<string, string>): Promise<any>
  listResources(): Promise<any[]>
  readResource(uri: string): Promise<any>
  callTool(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<any>
  close(): Promise<void>
}

export type Connect = (url: string, headers?: Record<string, string>) => Promise<McpClient>

/** How each official client connects; 'pinned' and 'auto' speak 2026-07-28. */
export const CLIENTS: Readonly<Record<string, { connect: Connect; version: string }>> = {
  'SDK v1': { version: '2025-11-25', connect: connectV1 },
  'SDK v2, default': { version: '2025-11-25', connect: (...to) => connectV2(undefined, ...to) },
  'SDK v2, auto': { version: '2026-07-28', connect: (...to) => connectV2('auto', ...to) },
  'SDK v2, pinned': {
    version: '2026-07-28',
    connect: (...to) => connectV2({ pin: '2026-07-28' }, ...to),
  },
}

/** What both clients do in the same words. */
const alikeIn = (client: ClientV1 | ClientV2) => ({
  instructions: client.getInstructions(),
  listTools: async () => (await client.listTools()).tools,
  listPrompts: async () => (await client.listPrompts()).prompts,
  getPrompt: (name: string, args: Record<string, string>) =>
    client.getPrompt({ name, arguments: args }),
  listResources: async () => (await client.listResources()).resources,
  readResource: (uri: string) => client.readResource({ uri }),
  close: () => client.close(),
})

async function connectV1(url: string, headers: Record<string, string> = {}): Promise<McpClient> {
  const client = new ClientV1(INFO)
  const transport = new HttpV1(new URL(url), { requestInit: { headers } })
  await client.connect(transport)
  return {
    version: transport.protocolVersion,
    ...alikeIn(client),
    callTool: (name, args, { meta, onProgress } = {}) =>
      client.callTool(
        { name, arguments: args, ...(meta && { _meta: meta }) },
        undefined,
        onProgress && { onprogress: onProgress },
      ),
  }
}

async function connectV2(
  mode: 'auto' | { pin: string } | undefined,
  url: string,
  headers: Record<string, string> = {},
): Promise<McpClient> {
  const client = new ClientV2(INFO, mode && { versionNegotiation: { mode } })
  await client.connect(new HttpV2(new URL(url), { requestInit: { headers } }))
  return {
    version: client.getNegotiatedProtocolVersion(),
    ...alikeIn(client),
    callTool: (name, args, { meta, onProgress } = {}) =>
      client.callTool(
        { name, arguments: args, ...(meta && { _meta: meta }) },
        onProgress && { onprogress: onProgress },
      ),
  }
}
