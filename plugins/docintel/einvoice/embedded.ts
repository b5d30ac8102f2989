/**
 * E-invoice XML inside a PDF that lists it nowhere pdf.js looks: only as an associated file (/AF) or
 * behind a page's attachment mark. Streams are never inside other objects, so the file's own bytes
 * are searched for them.
 */
import { inflateSync } from 'node:zlib'
import { looksLikeEInvoice } from './read.ts'
import { decodeXml, XML_BYTES_MAX } from '../../shared/xml.ts'

const STREAMS_MAX = 64
const DICTIONARY_MAX = 2048

/** The dictionary in front of a `stream` keyword, or null when none ends there. */
function dictionaryBefore(file: Buffer, at: number): string | null {
  const before = file.subarray(Math.max(0, at - DICTIONARY_MAX), at).toString('latin1')
  const start = before.lastIndexOf(' obj')
  return start === -1 || !/>>\s*$/.test(before) ? null : before.slice(start)
}

function contentOf(file: Buffer, start: number, dictionary: string): Buffer | null {
  const end = file.indexOf('endstream', start)
  if (end === -1 || end - start > XML_BYTES_MAX) return null
  const raw = file.subarray(start, end)
  if (!/\/Filter\b/.test(dictionary)) return raw
  if (!/\/Fl(?:ateDecode)?\b/.test(dictionary)) return null
  try {
    return inflateSync(raw, { maxOutputLength: XML_BYTES_MAX })
  } catch {
    return null
  }
}

/** Text of the first embedded file that looks like an e-invoice, or null. */
export function findUnlistedXml(bytes: Uint8Array): string | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!file.includes('/EF') && !file.includes('/EmbeddedFile') && !file.includes('/ObjStm'))
    return null
  let tried = 0
  for (let at = file.indexOf('stream'); at !== -1; at = file.indexOf('stream', at + 6)) {
    if (file.toString('latin1', at - 3, at) === 'end') continue
    const dictionary = dictionaryBefore(file, at)
    if (!dictionary || !/EmbeddedFile|xml|\/Params\b/i.test(dictionary)) continue
    if (++tried > STREAMS_MAX) return null
    const start = at + 6 + (file[at + 6] === 13 ? 2 : 1)
    const content = contentOf(file, start, dictionary)
    const text = content ? decodeXml(content) : null
    if (text && looksLikeEInvoice(text)) return text
  }
  return null
}
