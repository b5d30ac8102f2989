/** What an input is: its declared type, checked against its first bytes. */
import { wideOrder } from './decode.ts'

export type InputKind = 'html' | 'text' | 'json' | 'xml' | 'binary'

const HEAD = 2048
/** How PDF, images, archives and compressed data begin. */
const SIGNATURES = ['%PDF', '\x89PNG', 'GIF8', '\xff\xd8\xff', 'PK\x03\x04', '\x1f\x8b', 'RIFF']

function headOf(content: string | Uint8Array): string {
  if (typeof content === 'string') return content.slice(0, HEAD)
  const head = content.subarray(0, HEAD)
  const wide = wideOrder(head)
  return wide === null ? Buffer.from(head).toString('latin1') : new TextDecoder(wide).decode(head)
}

const isMarkup = (head: string): boolean =>
  /<(?:!doctype\s+html|html|head|body|title|meta|div|p|article|section|table|h[1-6]|span|ul|main)\b/i.test(
    head,
  )

/** How an input is to be read. `text` given by the caller stays text; `html` is always HTML. */
export function kindOfInput(
  source: 'text' | 'html' | 'url',
  content: string | Uint8Array,
  contentType: string | null,
): InputKind {
  const head = headOf(content)
  const trimmed = head.replace(/^[\s\ufeff]+|^ï»¿/, '')
  if (source === 'html') return 'html'
  if (source === 'text') return /^[[{]/.test(trimmed) ? 'json' : 'text'
  const type = (contentType ?? '').split(';')[0]!.trim().toLowerCase()
  const isUtf16 = /^(?:\xff\xfe|\xfe\xff)/.test(head)
  const isBinary =
    SIGNATURES.some((signature) => head.startsWith(signature)) ||
    (!isUtf16 && head.includes('\u0000'))
  if (
    isBinary ||
    /^(?:image|audio|video|font)\/(?!svg)|^application\/(?:pdf|zip|gzip|octet-stream|vnd\.openxml|msword)/.test(
      type,
    )
  ) {
    if (isBinary || !isMarkup(head)) return 'binary'
  }
  if (/html/.test(type)) return 'html'
  if (/json/.test(type)) return 'json'
  if (isMarkup(head)) return 'html'
  if (/xml/.test(type) || trimmed.startsWith('<?xml')) return 'xml'
  if (type === '' && /^[[{]/.test(trimmed)) return 'json'
  return 'text'
}
