/** JSON-RPC batches, which only 2025-03-26 has: capped, one call after the other, one hold each. */
import { hasClaim } from './envelope.ts'
import { shapeOf } from './message.ts'
import { BATCH_VERSION, CODE, type Json, type RpcRequest } from './protocol.ts'
import { responseText } from './reply.ts'

const MAX_MESSAGES = 20

/** Why a batch is refused as a whole; null when it may be answered. */
export function checkBatch(messages: readonly unknown[], headers: Headers): string | null {
  const version = headers.get('mcp-protocol-version')
  if (version !== null && version !== BATCH_VERSION)
    return `${version.slice(0, 64)} has no batches, only ${BATCH_VERSION} does`
  if (messages.length === 0) return 'the batch is empty'
  if (messages.length > MAX_MESSAGES) return `a batch holds at most ${MAX_MESSAGES} messages`
  const isModern = messages.some((message) => {
    const shape = shapeOf(message)
    return shape.kind === 'request' && hasClaim(shape.request.params?.['_meta'])
  })
  return isModern ? 'a batch cannot hold requests of a revision without batches' : null
}

/** The response messages as JSON texts, in order; notifications and responses get none. */
export async function answerBatch(
  messages: readonly unknown[],
  { signal }: { signal: AbortSignal },
  answer: (request: RpcRequest, index: number, meta: Json) => Promise<string>,
): Promise<string[]> {
  const answers: string[] = []
  for (const [index, message] of messages.entries()) {
    const shape = shapeOf(message)
    if (shape.kind === 'invalid') answers.push(responseText(shape.id, shape.error))
    if (shape.kind !== 'request') continue
    const { request } = shape
    if (signal.aborted) break
    if (request.method === 'initialize') {
      const error = {
        code: CODE.invalidRequest,
        message: 'Invalid request: initialize stands alone',
      }
      answers.push(responseText(request.id, error))
      continue
    }
    answers.push(await answer(request, index, (request.params?.['_meta'] ?? {}) as Json))
  }
  return answers
}
