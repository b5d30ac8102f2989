/** What the MCP product provides to other plugins: its endpoint for callers that they have identified. */
import type { CatalogSnapshot, Identity, RouteRequest } from '#kernel'

/** The name under which it is provided. */
export const MCP_ENDPOINT = 'mcp-endpoint'

/** Largest body of a route that leads here: a PDF of 10 MiB is 14 MB in base64. */
export const MCP_BODY_BYTES = 20 * 1024 * 1024

/** Where documents say that the skills are tools. */
export const MCP_PATH = '/mcp'

/** Whether they are: an operator may have taken that product away. */
export function servesMcp({ products }: Pick<CatalogSnapshot, 'products'>): boolean {
  return products?.values().some(({ parts }) => parts.spec.basePath === MCP_PATH) === true
}

/** How tool names are listed; both forms are always callable. */
export type Naming = 'dotted' | 'underscore'

/** For whom a request is answered. */
export interface McpOrder {
  as: { keyId: string; via: Identity['via'] }
  /** How tool names are listed where neither the URL nor the MCP product says it. */
  defaultNames: Naming
  /** An answer instead of the paid call, such as 403 for a missing scope; null: go on. */
  refusePaid?(): Response | null
}

export interface McpEndpoint {
  /**
   * Answers an MCP request as POST /mcp does. Calls are made and paid for as `as`, whatever the request
   * carries beside payments in `_meta`; `refusePaid` is asked before a paid tool runs.
   */
  serve(request: RouteRequest, order: McpOrder): Promise<Response>
}
