/** Random secrets that browsers keep, and what the tables keep of them. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits, base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256 in hex: nobody finds a secret of 256 random bits by it. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Value of the field `csrf` of forms that belong to a cookie's secret; says nothing about it. */
export function csrfOf(secret: string): string {
  return createHash('sha256').update(`csrf ${secret}`).digest('base64url')
}

/** Whether two texts are equal, in a time that tells nothing about them. */
export function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
