/** What the kernel is handed: how it reads the JSON of long bodies. */
import {
  escapePointer,
  runSliced,
  jsonRefusal,
  MAX_JSON_DEPTH,
  MAX_NAME_CHARACTERS,
  nextTurn,
  overflowIn,
  type ParsedJson,
  type ReadLongJson,
} from '#kernel/host'
import { FairTurns } from './fair-turns.ts'
import { SlicedParser, type ParserRules } from './sliced-parser.ts'

/** Long texts that are parsed at the same time. */
const LONG_TEXTS_AT_ONCE = 2
const DECODED_AT_ONCE_BYTES = 1_048_576

const RULES: Omit<ParserRules, 'knownMembers'> = {
  maxDepth: MAX_JSON_DEPTH,
  runWeight: 1_000_000,
  pieceCharacters: MAX_NAME_CHARACTERS,
  overflowIn,
  escape: escapePointer,
}

/**
 * Few long texts are parsed at a time, and those of one `share` one after the other, so nobody's texts
 * hold up those of others. With `knownMembers` an object that has others is refused at the first of
 * them, before the rest is looked at.
 */
export const readLongJson: ReadLongJson = (bytes, share, knownMembers) =>
  longTexts.run(share, () => parseInSlices(bytes, knownMembers))

const longTexts = new FairTurns(LONG_TEXTS_AT_ONCE)

async function parseInSlices(
  bytes: Uint8Array,
  knownMembers: ReadonlySet<string> | null,
): Promise<ParsedJson> {
  const text = await decodeInSlices(bytes)
  if (text === null) return jsonRefusal({ fault: 'utf8' })
  const parsed = await runSliced(new SlicedParser(text, { ...RULES, knownMembers }))
  return parsed.ok ? parsed : jsonRefusal(parsed)
}

/** The text, or null for bytes that are not UTF-8. */
async function decodeInSlices(bytes: Uint8Array): Promise<string | null> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const pieces: string[] = []
  try {
    for (let at = 0; at < bytes.byteLength; at += DECODED_AT_ONCE_BYTES) {
      const piece = bytes.subarray(at, at + DECODED_AT_ONCE_BYTES)
      pieces.push(decoder.decode(piece, { stream: true }))
      await nextTurn()
    }
    pieces.push(decoder.decode())
  } catch {
    return null
  }
  return pieces.join('')
}
