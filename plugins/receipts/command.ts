/** `coinop receipt verify`: whether a receipt is genuine, and whether it is of a given body. */
import { readFileSync } from 'node:fs'
import { EXIT, type PluginCommand, type PluginCommandContext } from '#kernel'
import { documentUrlOf } from './did.ts'
import { readReceipt, verifiedBy, type Read } from './verify.ts'

const FETCH_MS = 10_000
/** Documents with keys are a few KiB. The receipt names who sends this one. */
const DOCUMENT_BYTES = 262_144

export const receiptCommand: PluginCommand = {
  name: 'receipt verify',
  usage: 'receipt verify JWS [--body FILE] [--keys FILE]',
  summary: "check a signed receipt against its gateway's keys, and FILE as the answer it signs",
  options: { body: { type: 'string' }, keys: { type: 'string' } },
  run: verify,
}

async function verify(context: PluginCommandContext): Promise<number> {
  const { positionals, options, warn, printRecord } = context
  const [text, ...more] = positionals
  if (text === undefined || more.length > 0) {
    warn(`Give one receipt: coinop ${receiptCommand.usage}`)
    return EXIT.usage
  }
  const read = readReceipt(text)
  if (!read) {
    warn('This is no receipt: a compact JWS of three base64url parts with alg EdDSA and a kid')
    return EXIT.failed
  }
  const keys = typeof options['keys'] === 'string' ? readFileSync(options['keys'], 'utf8') : null
  const document = await documentOf(read, keys)
  if ('problem' in document) {
    warn(document.problem)
    return EXIT.unavailable
  }
  const body = typeof options['body'] === 'string' ? readFileSync(options['body']) : null
  const { problem } = verifiedBy(read, document.text, body)
  printRecord({ ...read.payload, key: read.keyId, valid: problem === null, problem })
  return problem === null ? EXIT.ok : EXIT.failed
}

async function documentOf(
  { keyId }: Read,
  given: string | null,
): Promise<{ text: string } | { problem: string }> {
  if (given !== null) return { text: given }
  const url = documentUrlOf(keyId)
  if (url === null)
    return { problem: `The key ${keyId} is at no did:web; give its document by --keys` }
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS) })
    if (!response.ok) return { problem: `${url} answered ${response.status}` }
    const text = await textOf(response)
    return text === null
      ? { problem: `${url} answered more than ${DOCUMENT_BYTES} bytes` }
      : { text }
  } catch (error) {
    return { problem: `${url} cannot be read: ${String(error).slice(0, 200)}` }
  }
}

/** The text of an answer; null for one that is too long. */
async function textOf(response: Response): Promise<string | null> {
  const parts: Uint8Array[] = []
  let sizeBytes = 0
  for await (const part of response.body ?? []) {
    sizeBytes += part.byteLength
    if (sizeBytes > DOCUMENT_BYTES) return null
    parts.push(part)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}
