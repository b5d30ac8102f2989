/** The environment variables of signed receipts. */
import { list, oneOf } from '#kernel'

/** What is signed: nothing, receipts, or offers as well. */
export const RECEIPTS = oneOf('RECEIPTS', ['receipts', 'offers', 'off'], 'receipts')

const SEED_BYTES = 32

/** Seeds of Ed25519 keys, base64; the first signs, all are published. Empty: the derived key signs. */
export const RECEIPTS_KEY = list('RECEIPTS_KEY', {
  expected: 'one or more base64 texts of 32 bytes, comma-separated; the first signs',
  example: '…made by openssl rand -base64 32',
  accepts: (text) => isSeed(text),
  isSecret: true,
  after: RECEIPTS.name,
})

export const VARIABLES = [RECEIPTS, RECEIPTS_KEY] as const

function isSeed(text: string): boolean {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === SEED_BYTES && bytes.toString('base64') === text
}
