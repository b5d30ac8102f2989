/** The standard security handler with RC4 and 40-bit keys (ISO 32000-1 7.6.3), for test files. */
import { createHash } from 'node:crypto'

const PAD = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const ID = Buffer.from('0123456789abcdef')
const PERMISSIONS = -44

const md5 = (...parts: Buffer[]): Buffer => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const padded = (password: string): Buffer =>
  Buffer.concat([Buffer.from(password, 'latin1'), PAD]).subarray(0, 32)

function rc4(key: Buffer, data: Buffer): Buffer {
  const s = Array.from({ length: 256 }, (_, i) => i)
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + s[i]! + key[i % key.length]!) & 255
    ;[s[i], s[j]] = [s[j]!, s[i]!]
  }
  let i = 0
  let j = 0
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 255
      j = (j + s[i]!) & 255
      ;[s[i], s[j]] = [s[j]!, s[i]!]
      return byte ^ s[(s[i]! + s[j]!) & 255]!
    }),
  )
}

export interface Encryption {
  /** Encrypts the data of object `number`. */
  encrypt(number: number, data: string): Buffer
  /** The encryption dictionary, as an object's body. */
  dictionary: string
  /** Trailer entries; the dictionary is object 900. */
  trailer: string
}

/** Encryption with these passwords; '' as the user password lets anybody read. */
export function encryption(user: string, owner: string): Encryption {
  const o = rc4(md5(padded(owner)).subarray(0, 5), padded(user))
  const permissions = Buffer.alloc(4)
  permissions.writeInt32LE(PERMISSIONS)
  const key = md5(padded(user), o, permissions, ID).subarray(0, 5)
  const u = rc4(key, PAD)
  return {
    encrypt(number, data) {
      const salt = Buffer.from([number & 255, (number >> 8) & 255, (number >> 16) & 255, 0, 0])
      return rc4(md5(key, salt).subarray(0, 10), Buffer.from(data, 'latin1'))
    },
    dictionary: `<< /Filter /Standard /V 1 /R 2 /P ${PERMISSIONS} /O <${o.toString('hex')}> /U <${u.toString('hex')}> >>`,
    trailer: `/Encrypt 900 0 R /ID [<${ID.toString('hex')}> <${ID.toString('hex')}>]`,
  }
}
