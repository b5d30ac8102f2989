/** Random texts that are shown once, and the digest by which they are found again. */
import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits in base64url: codes and the ids of requests. */
export function randomText(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256 in hex: the only form in which codes, tokens and ids of requests are stored. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
