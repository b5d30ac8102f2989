/** What the caller sent: strict base64, the kind of file by its first bytes, and the caps. */
import { fail, invalid, type Failure } from '#kernel'
import { decodeXml } from '../../shared/xml.ts'
import type { ParseRequest } from '../schema.ts'

/** Decoded size that is accepted; with base64's third on top it stays under the 20 MiB body. */
export const FILE_BYTES_MAX = 14 * 1024 * 1024

export type FileKind = 'application/pdf' | 'image/jpeg' | 'image/png' | 'image/webp' | 'text/plain'

export type Source =
  | { ok: true; kind: 'text'; text: string }
  | { ok: true; kind: FileKind; bytes: Uint8Array }

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/**
 * Bytes of standard base64 (RFC 4648 §4; line breaks and a data-URL prefix are allowed), or what is
 * wrong with it. Node's decoder would silently skip foreign characters, so the text is checked.
 */
export function decodeBase64(
  value: string,
): { ok: true; bytes: Uint8Array } | { ok: false; message: string } {
  const prefix = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w=.-]+)*;base64,/.exec(value.slice(0, 200))
  const body = (prefix ? value.slice(prefix[0].length) : value).replaceAll(/[\r\n\t ]+/g, '')
  if (body === '') return { ok: false, message: 'is empty' }
  if (!BASE64.test(body)) return { ok: false, message: 'is not base64' }
  const unpadded = body.replace(/=+$/, '')
  if (unpadded.length % 4 === 1 || (body.length !== unpadded.length && body.length % 4 !== 0))
    return { ok: false, message: 'is not base64: its length or padding is wrong' }
  if (Math.floor((unpadded.length * 3) / 4) > FILE_BYTES_MAX)
    return { ok: false, message: `is larger than ${FILE_BYTES_MAX} bytes when decoded` }
  return { ok: true, bytes: new Uint8Array(Buffer.from(unpadded, 'base64')) }
}

const starts = (bytes: Uint8Array, text: string, at = 0): boolean =>
  [...text].every((char, i) => bytes[at + i] === char.codePointAt(0))

/** Kind of a file by its signature; text only when it is valid UTF-8 without control characters. */
export function sniff(bytes: Uint8Array): FileKind | null {
  // A PDF's header may stand within the first 1024 bytes (ISO 32000-1 annex H).
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  if (head.includes('%PDF-')) return 'application/pdf'
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg'
  if (bytes[0] === 0x89 && starts(bytes, 'PNG\r\n', 1)) return 'image/png'
  if (starts(bytes, 'RIFF') && starts(bytes, 'WEBP', 8)) return 'image/webp'
  return decodeText(bytes) === null ? null : 'text/plain'
}

/** UTF-8, UTF-16 (with its mark) or XML text in its stated encoding; null for anything binary. */
function decodeText(bytes: Uint8Array): string | null {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : null
  try {
    const text =
      utf16 === null && starts(bytes, '<?xml')
        ? decodeXml(bytes)
        : new TextDecoder(utf16 ?? 'utf-8', { fatal: true }).decode(bytes)
    // oxlint-disable-next-line no-control-regex
    return /[\u0000-\u0008\u000E-\u001A\u001C-\u001F]/.test(text.slice(0, 4096)) ? null : text
  } catch {
    return null
  }
}

const XML_TYPES: readonly string[] = ['application/xml', 'text/xml']

/** Whether a stated content type is that of the text; XML is text that begins with a tag. */
const fitsText = (stated: string, text: string): boolean =>
  stated === 'text/plain' || (XML_TYPES.includes(stated) && text.trimStart().startsWith('<'))

/** Checks text, base64 and content type of a request; the decoded source or the refusal. */
export function readSource(input: ParseRequest, textMax: number): Source | Failure {
  const { text, file_base64: file, content_type: stated } = input
  if ((text === undefined) === (file === undefined))
    return invalid([
      {
        path: text === undefined ? '' : '/file_base64',
        message: 'give exactly one of text and file_base64',
      },
    ])
  if (text !== undefined) {
    if (text.length > textMax)
      return invalid([{ path: '/text', message: `must be at most ${textMax} characters` }])
    if (stated !== undefined && !fitsText(stated, text))
      return invalid([{ path: '/content_type', message: `is ${stated}, but text was given` }])
    return { ok: true, kind: 'text', text }
  }
  const decoded = decodeBase64(file!)
  if (!decoded.ok) return invalid([{ path: '/file_base64', message: decoded.message }])
  const kind = sniff(decoded.bytes)
  if (kind === null)
    return fail('UNSUPPORTED_FORMAT', 'The file is none of PDF, JPEG, PNG, WebP, text and XML', {
      details: { issues: [{ path: '/file_base64', message: 'is of no supported format' }] },
    })
  const plain = kind === 'text/plain' ? decodeText(decoded.bytes)! : null
  const fits = (type: string): boolean =>
    plain === null ? type.replace(/jpg$/, 'jpeg') === kind : fitsText(type, plain)
  if (stated !== undefined && !fits(stated))
    return fail('UNSUPPORTED_FORMAT', `content_type is ${stated}, but the file is ${kind}`, {
      details: { issues: [{ path: '/content_type', message: `the file is ${kind}` }] },
    })
  if (plain === null) return { ok: true, kind, bytes: decoded.bytes }
  if (plain.length > textMax)
    return invalid([
      { path: '/file_base64', message: `must be at most ${textMax} characters of text` },
    ])
  return { ok: true, kind: 'text', text: plain }
}
