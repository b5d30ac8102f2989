/**
 * The official MCP SDK (v2) serving the tool list of the file given as argument, on Bun or Node, as
 * its documentation shows it. The tool does nothing but return its arguments.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'

const tools = JSON.parse(readFileSync(process.argv[2], 'utf8')).map((tool) => ({
  ...tool,
  inputSchema: fromJsonSchema(tool.inputSchema),
}))

const handler = createMcpHandler(
  () => {
    const server = new McpServer({ name: 'sdk', version: '1' }, { capabilities: { tools: {} } })
    for (const { name, outputSchema: _, ...config } of tools) {
      server.registerTool(name, config, async (args) => ({
        content: [{ type: 'text', text: JSON.stringify(args) }],
        structuredContent: args,
      }))
    }
    return server
  },
  { responseMode: 'auto' },
)

if (process.versions.bun) {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => handler.fetch(request),
  })
  console.log(`listening on http://127.0.0.1:${server.port}`)
} else {
  const server = createServer(async (incoming, outgoing) => {
    const chunks = []
    for await (const chunk of incoming) chunks.push(chunk)
    const request = new Request(`http://127.0.0.1${incoming.url}`, {
      method: incoming.method,
      headers: incoming.headers,
      body: chunks.length > 0 ? Buffer.concat(chunks) : undefined,
    })
    const response = await handler.fetch(request)
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  })
  server.listen(0, '127.0.0.1', () => {
    console.log(`listening on http://127.0.0.1:${server.address().port}`)
  })
}
