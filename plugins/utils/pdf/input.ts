/** The request's file: strict base64 under a size cap, checked to be a PDF before any work. */
import { fail, type Failure, invalid } from '#kernel'
import { REASONS } from '../reasons.ts'

/** Largest decoded file (service-spec, Limits). */
export const PDF_BYTES_MAX = 10 * 1024 * 1024
const MIB = 1024 * 1024
/** The header may stand within the first 1024 bytes (ISO 32000-1 annex H, note 13). */
const HEADER_WITHIN = 1024

const FIELDS = ['file_base64', 'pdf', 'base64'] as const
const DATA_URL = /^data:[^,]{0,200};base64,/i
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

export type FileFields = { [name in (typeof FIELDS)[number]]?: string }
export type ReadFile = { ok: true; bytes: Uint8Array } | Failure

/** The decoded file of exactly one of the three field names, or INVALID_INPUT/UNSUPPORTED_FORMAT. */
export function readFile(input: FileFields): ReadFile {
  const given = FIELDS.filter((name) => input[name] !== undefined)
  if (given.length !== 1) {
    const message =
      given.length === 0 ? 'is required' : `and ${given[1]} are the same field: give one of them`
    return invalid([{ path: '/file_base64', message }])
  }
  const name = given[0]!
  const path = `/${name}`
  const value = input[name]!
  const prefix = DATA_URL.exec(value.slice(0, 256))?.[0].length ?? 0
  const text = (prefix > 0 ? value.slice(prefix) : value).replaceAll(/[\r\n\t ]+/g, '')
  if (text === '') return invalid([{ path, message: 'is empty' }])
  const digits = text.endsWith('==') ? text.length - 2 : text.length - (text.endsWith('=') ? 1 : 0)
  const sizeBytes = Math.floor((digits * 3) / 4)
  if (sizeBytes > PDF_BYTES_MAX) return tooLarge(path, sizeBytes)
  const isPadded = digits !== text.length
  if (!BASE64.test(text) || digits % 4 === 1 || (isPadded && text.length % 4 !== 0)) {
    return invalid([{ path, message: 'is not standard base64 (RFC 4648 section 4)' }])
  }
  return checkedFile(path, new Uint8Array(Buffer.from(text, 'base64')))
}

/** The bytes of a file when they are a PDF's, or UNSUPPORTED_FORMAT at the field that brought them. */
export function checkedFile(path: string, bytes: Uint8Array): ReadFile {
  const head = Buffer.from(bytes.subarray(0, HEADER_WITHIN)).toString('latin1')
  if (!head.includes('%PDF-')) return unsupported(path, 'not_pdf', 'The file is not a PDF')
  return { ok: true, bytes }
}

function tooLarge(path: string, sizeBytes: number): Failure {
  const size = `${(sizeBytes / MIB).toFixed(1)} MiB`
  return unsupported(path, 'too_large', `The PDF is ${size} decoded; at most 10 MiB are read`)
}

type PdfReason = 'not_pdf' | 'too_large' | 'encrypted' | 'broken'

/** UNSUPPORTED_FORMAT with the reason, at the field that brought the file. */
export function unsupported(path: string, reason: PdfReason, message: string): Failure {
  return fail('UNSUPPORTED_FORMAT', message, {
    details: { reason: REASONS[reason], issues: [{ path, message }] },
  })
}
