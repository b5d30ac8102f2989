/** Texts in the content coding that a request takes (RFC 9110, section 12.5.3). */
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** Shorter answers are not worth packing. */
const PACKED_FROM_CHARACTERS = 1000
/** From here on the last text of each coding is kept, so that it is packed once while it stays. */
const KEPT_FROM_CHARACTERS = 50_000

const CODINGS = [
  ['br', (text: string) => brotliCompressSync(text, { params: { 1: 5 } })],
  ['gzip', (text: string) => gzipSync(text)],
] as const

/**
 * Makes answers, packed with the best coding that their request takes. `vary` says so, and an ETag
 * becomes a weak one (section 8.8.1) where the bytes are others than those of the text. Keeps one
 * long text, so each long text has a Packer of its own.
 */
export class Packer {
  readonly #kept = new Map<string, { text: string; bytes: Uint8Array<ArrayBuffer> }>()

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
    const known = this.#kept.get(name)
    if (known?.text === text) return known.bytes
    const bytes = new Uint8Array(pack(text))
    if (text.length >= KEPT_FROM_CHARACTERS) this.#kept.set(name, { text, bytes })
    return bytes
  }
}

function isTaken(name: string, accepted: string): boolean {
  return new RegExp(String.raw`\b${name}\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))`).test(accepted)
}
