/** Response bodies read whole under one cap that counts both the wire's bytes and the decoded ones. */
import type { GuardedRefusal } from '#kernel'
import type { IncomingMessage } from 'node:http'
import { pipeline, type Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
} from 'node:zlib'
import { refuse } from './refusal.ts'

/** What we can decode, for Accept-Encoding. */
export const ACCEPT_ENCODING = 'gzip, deflate, br'

/** Servers that stack encodings exist; three layers do not, apart from bombs. */
const MAX_ENCODINGS = 2

type Bytes = AsyncIterable<Buffer>

/** A `deflate` body is zlib-wrapped by the standard and raw by habit; its first byte tells. */
async function* inflateEither(source: Bytes): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]()
  const first = await chunks.next()
  if (first.done) return
  const wrapped = ((first.value[0] ?? 0) & 0x0f) === 8
  async function* rejoined(): AsyncGenerator<Buffer> {
    yield first.value
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  const decoder = wrapped ? createInflate(tolerant) : createInflateRaw(tolerant)
  yield* pipeline(rejoined, decoder, () => {}) as Bytes
}

// A truncated last block is tolerated, as browsers do; the server closed the body properly.
const tolerant = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }

const through =
  (decoder: () => Transform) =>
  (source: Bytes): Bytes =>
    pipeline(source, decoder(), () => {})

const DECODERS: Record<string, (source: Bytes) => Bytes> = {
  gzip: through(() => createGunzip(tolerant)),
  'x-gzip': through(() => createGunzip(tolerant)),
  deflate: inflateEither,
  br: through(() =>
    createBrotliDecompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    }),
  ),
}

class TooLarge extends Error {}

/** Fails when more than `maxBytes` came from the wire: a decoder may swallow bytes without output. */
async function* capped(source: Bytes, maxBytes: number): AsyncGenerator<Buffer> {
  let seen = 0
  for await (const chunk of source) {
    seen += chunk.length
    if (seen > maxBytes) throw new TooLarge()
    yield chunk
  }
}

/**
 * The whole decoded body, at most `maxBytes`, or 'too_large' as soon as that is known, or 'protocol'
 * for an encoding we did not offer. Throws what the connection or the decoder throws.
 */
export async function readBody(
  message: IncomingMessage,
  method: string,
  maxBytes: number,
): Promise<{ ok: true; bytes: Uint8Array } | GuardedRefusal> {
  if (method === 'HEAD' || message.statusCode === 204 || message.statusCode === 304) {
    message.destroy()
    return { ok: true, bytes: new Uint8Array() }
  }
  const tooLarge = refuse('too_large', `The answer is larger than ${maxBytes} bytes`)
  const names = (message.headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  const known = names.every((name) => Object.hasOwn(DECODERS, name))
  const declared = Number(message.headers['content-length'])
  if (!known || names.length > MAX_ENCODINGS || declared > maxBytes) {
    message.destroy()
    return declared > maxBytes
      ? tooLarge
      : refuse('protocol', `Content-Encoding ${names.join(', ').slice(0, 100)} is not supported`)
  }
  let source: Bytes = capped(message, maxBytes)
  for (const name of names.toReversed()) source = DECODERS[name]!(source)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of source) {
      size += chunk.length
      if (size > maxBytes) return tooLarge
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof TooLarge) return tooLarge
    throw error
  } finally {
    message.destroy()
  }
  return { ok: true, bytes: new Uint8Array(Buffer.concat(chunks, size)) }
}
