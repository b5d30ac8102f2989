/** A key text with a right checksum over made-up parts. */
import { crc32 } from 'node:zlib'
import { uint32ToBase62 } from '../../../kernel/auth/key-format.ts'

export function checksummed(body: string): string {
  return body + uint32ToBase62(crc32(body))
}
