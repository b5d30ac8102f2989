/** Bytes to text by the encoding a page declares: BOM, HTTP header, meta tag, else a guess. */
import { guessEncoding } from './guess-encoding.ts'

const PRESCAN_BYTES = 4096

const BOMS: readonly [readonly number[], string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xff, 0xfe], 'utf-16le'],
]

/** Share of bytes that are zero in UTF-16 of a page, whose tags are ASCII in any language. */
const ZEROS_LEAST = 0.1
/** So many times as many zeros as at the other place, where some signs of Chinese and Japanese have one. */
const ZEROS_FACTOR = 8

/** So many times as many characters of several bytes as broken ones has UTF-8 with a fault or a cut end. */
const WHOLE_FACTOR = 4

/** Which UTF-16 bytes without a mark are in: that in which every second byte of ASCII is zero. */
export function wideOrder(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const head = bytes.subarray(0, PRESCAN_BYTES)
  const zerosAt = (first: 0 | 1): number =>
    head.filter((byte, index) => byte === 0 && index % 2 === first).length
  const [even, odd] = [zerosAt(0), zerosAt(1)]
  const least = ZEROS_LEAST * (head.length / 2)
  if (odd >= least && odd >= ZEROS_FACTOR * even) return 'utf-16le'
  return even >= least && even >= ZEROS_FACTOR * odd ? 'utf-16be' : null
}

/** The label as a decoder, or null for an unknown one. */
function decoderOf(label: string | null | undefined, fatal = false): TextDecoder | null {
  if (!label) return null
  try {
    return new TextDecoder(label.trim().replaceAll(/^["']|["']$/g, '') as Bun.Encoding, { fatal })
  } catch {
    return null
  }
}

function declaredInMarkup(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString('latin1')
  const found =
    /<meta[^>]+charset\s*=\s*["']?\s*([\w:-]+)/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w:-]+)/i.exec(head)?.[1]
  // A tag that could be read as ASCII is not in UTF-16, whatever it says (HTML standard 13.2.3.2).
  return found && /^utf-?16/i.test(found) ? 'utf-8' : (found ?? null)
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

const ESCAPES = ['\u001B$@', '\u001B$B']

function isEscaped(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString('latin1')
  return ESCAPES.some((one) => head.includes(one))
}

/**
 * The text of a body. UTF-16 is known by its mark or its zero bytes. A declared encoding is followed unless the bytes are plainly UTF-8 with
 * multi-byte characters, or a server's UTF-8 is contradicted by the bytes and by the page; without any declaration bytes
 * that are not UTF-8 are in the encoding in which they read like a language, else windows-1252.
 */
export function decodeBytes(bytes: Uint8Array, contentType: string | null): string {
  for (const [mark, label] of BOMS) {
    if (mark.every((byte, index) => bytes[index] === byte))
      return new TextDecoder(label as Bun.Encoding).decode(bytes)
  }
  const wide = wideOrder(bytes)
  if (wide !== null) return new TextDecoder(wide).decode(bytes)
  const header = decoderOf(/charset\s*=\s*["']?([\w:-]+)/i.exec(contentType ?? '')?.[1])
  const inMarkup = decoderOf(declaredInMarkup(bytes))
  const declared = header ?? inMarkup
  if (isUtf8(bytes)) {
    const isMultiByte = bytes.some((byte) => byte > 0x7f)
    // Japanese of mails: switched on and off by codes of ASCII.
    if (declared === null && isEscaped(bytes)) return new TextDecoder('iso-2022-jp').decode(bytes)
    const isStateful = declared !== null && /^(utf-16|iso-2022)/.test(declared.encoding)
    if (isMultiByte || (declared === null && !isStateful)) return new TextDecoder().decode(bytes)
    return (declared ?? new TextDecoder()).decode(bytes)
  }
  if (declared && declared.encoding !== 'utf-8') return declared.decode(bytes)
  // Declared as UTF-8 and broken in a few places, or not declared at all.
  const text = new TextDecoder().decode(bytes)
  const broken = text.split('\ufffd').length - 1
  const whole = text.replaceAll(/\p{ASCII}+/gu, '').length - broken
  if (whole >= broken * WHOLE_FACTOR) return text
  // Servers name UTF-8 for whatever they have.
  if (inMarkup && inMarkup.encoding !== 'utf-8') return inMarkup.decode(bytes)
  return declared && broken < text.length / 200
    ? text
    : new TextDecoder((guessEncoding(bytes) ?? 'windows-1252') as Bun.Encoding).decode(bytes)
}
