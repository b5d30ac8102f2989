/**
 * json-rpc-2.0 looks the method up and calls it. It gets well-formed requests only, and what a
 * method throws never reaches the wire unless it is a ProtocolError.
 */
import { JSONRPCServer, type JSONRPCErrorResponse } from 'json-rpc-2.0'
import type { Logger } from '#kernel'
import type { Exchange } from './exchange.ts'
import type { MethodTable } from './methods.ts'
import { CODE, ProtocolError, type RpcError, type RpcRequest } from './protocol.ts'
import { Refused } from './refused.ts'
import { Reply } from './reply.ts'

/** A result, or an error with the HTTP answer it asks for. */
export type Dispatched =
  | { ok: true; reply: Reply }
  | { ok: false; error: RpcError; refused: Refused | null }

export type Dispatch = (request: RpcRequest, exchange: Exchange) => Promise<Dispatched>

/** Carries a thrown Refused from json-rpc-2.0's error hook to its caller. */
const REFUSED = Symbol('refused')
type MappedError = RpcError & { [REFUSED]?: Refused }

export function createDispatch(methods: MethodTable, log: Logger): Dispatch {
  const server = new JSONRPCServer<Exchange>({ errorListener: () => {} })
  for (const [name, method] of Object.entries(methods)) {
    server.addMethod(name, (params, exchange) => method(params, exchange))
  }
  server.mapErrorToJSONRPCErrorResponse = (id, thrown): JSONRPCErrorResponse => ({
    jsonrpc: '2.0',
    id,
    error: wireError(thrown, log),
  })
  return async (request, exchange) => {
    const response = await server.receive(request, exchange)
    if (response?.result instanceof Reply) return { ok: true, reply: response.result }
    const error: MappedError = response?.error ?? internalError()
    return { ok: false, error, refused: error[REFUSED] ?? null }
  }
}

function wireError(thrown: unknown, log: Logger): MappedError {
  if (!(thrown instanceof ProtocolError)) {
    log.error({ err: thrown }, 'mcp method failed')
    return internalError()
  }
  const { code, message, data } = thrown
  return {
    code,
    message,
    ...(data !== undefined && { data }),
    ...(thrown instanceof Refused && { [REFUSED]: thrown }),
  }
}

function internalError(): RpcError {
  return { code: CODE.internalError, message: 'The gateway failed to answer this request' }
}
