/** Request bodies under a limit that holds while they stream in, not after they were buffered. */
import { fail, type Failure } from '../errors.ts'

const EMPTY = new Uint8Array()

/** The whole body, or 413 INVALID_INPUT (400 on paid routes) once it is over `limitBytes`. */
export async function readBody(
  request: Request,
  limitBytes: number,
): Promise<Uint8Array | Failure> {
  const declared = request.headers.get('content-length')
  if (declared !== null) {
    if (Number(declared) > limitBytes) return tooLarge(limitBytes)
    // The server never delivers more than Content-Length says; asking for `body` makes a stream.
    return request.bytes()
  }
  if (!request.body) return EMPTY
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > limitBytes) return tooLarge(limitBytes)
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0]! : new Uint8Array(Buffer.concat(chunks))
}

/** Whether `readBody` refused. */
export function isRefused(body: Uint8Array | Failure): body is Failure {
  return !(body instanceof Uint8Array)
}

export function tooLarge(limitBytes: number): Failure {
  return fail('INVALID_INPUT', `The body is larger than ${limitBytes} bytes`, {
    status: 413,
    details: { limitBytes },
  })
}
