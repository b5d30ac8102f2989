/** Texts in the content coding that a request takes (RFC 9110, section 12.5.3). */
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'

/** Shorter answers are not worth packing. */
const PACKED_FROM_CHARACTERS = 1000
/** So many texts of each coding are kept, so that each is packed once while it is asked for. */
const KEPT_TEXTS = 8

const CODINGS = [
  ['br', (text: string) => brotliCompressSync(text, { params: { 1: 5 } })],
  ['gzip', (text: string) => gzipSync(text)],
] as const

/**
 * Makes answers, packed with the best coding that their request takes. `vary` says so, and an ETag
 * becomes a weak one (section 8.8.1) where the bytes are others than those of the text. Keeps the
 * texts that were last asked for.
 */
export class Packer {
  /** Packed texts by the text, of each coding. */
  readonly #kept = new Map(
    CODINGS.map(([name]) => [
      name as string,
      new LRUCache<string, Uint8Array<ArrayBuffer>>({ max: KEPT_TEXTS }),
    ]),
  )

  answer(
    request: Request,
    text: string,
    { status = 200, headers }: { status?: number; headers: Record<string, string> },
  ): Response {
    const others = headers['vary'] === undefined ? '' : `${headers['vary']}, `
    const all = { ...headers, vary: `${others}accept-encoding` }
    const accepted = request.headers.get('accept-encoding') ?? ''
    const coding = CODINGS.find(([name]) => isTaken(name, accepted))
    if (text.length < PACKED_FROM_CHARACTERS || !coding)
      return new Response(text, { status, headers: all })
    const [name, pack] = coding
    const { etag } = headers
    return new Response(this.#packed(name, text, pack), {
      status,
      headers: { ...all, ...(etag && { etag: `W/${etag}` }), 'content-encoding': name },
    })
  }

  #packed(name: string, text: string, pack: (text: string) => Uint8Array): Uint8Array<ArrayBuffer> {
    const kept = this.#kept.get(name)!
    const known = kept.get(text)
    if (known) return known
    const bytes = new Uint8Array(pack(text))
    kept.set(text, bytes)
    return bytes
  }
}

function isTaken(name: string, accepted: string): boolean {
  return new RegExp(String.raw`\b${name}\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))`).test(accepted)
}
