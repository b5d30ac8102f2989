/** What the OpenAPI document says about POST /mcp: JSON-RPC in, JSON-RPC out. */
import { Type } from 'typebox'

const Message = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'integer'] })),
    method: Type.Optional(Type.String({ description: 'initialize, tools/list, tools/call …' })),
    params: Type.Optional(Type.Object({}, { additionalProperties: true })),
  },
  { description: 'A request, a notification (no id) or the answer to a question of ours' },
)

/** One message, or a batch in the one revision that has them. */
export const RpcBody = Type.Union([
  Message,
  Type.Array(Message, { description: 'Revision 2025-03-26 only' }),
])

/** A refusal of the whole request; errors of a single method come with 200 in older revisions. */
export const RpcRefusal = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Unsafe<string | number | null>({ type: ['string', 'integer', 'null'] }),
  error: Type.Object({
    code: Type.Integer(),
    message: Type.String(),
    data: Type.Optional(Type.Object({}, { additionalProperties: true })),
  }),
})
