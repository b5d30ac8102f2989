/**
 * What tells one request from another: a hash of the input's canonical JSON. That of a large input
 * is made in slices, and is the same.
 */
import { createHash } from 'node:crypto'
import { canonicalJson, fingerprintOf } from './json.ts'
import { isBrief, jsonPieces } from './json-pieces.ts'
import { nextTurn } from './slices.ts'

/** Text hashed between two turns of the event loop. */
const HASHED_AT_ONCE_CHARACTERS = 1_048_576

/** `fingerprintOf(scope, canonicalJson(input))`; a large input does not hold the event loop. */
export async function inputFingerprint(scope: string, input: unknown): Promise<string> {
  if (isBrief(input)) return fingerprintOf(scope, canonicalJson(input))
  const pieces = await jsonPieces(input, true)
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const hash = createHash('sha256').update(`${scope.length}:${scope}${length}:`)
  let sinceTurn = 0
  for (const piece of pieces) {
    hash.update(piece)
    sinceTurn += piece.length
    if (sinceTurn < HASHED_AT_ONCE_CHARACTERS) continue
    sinceTurn = 0
    await nextTurn()
  }
  return hash.digest('hex')
}
