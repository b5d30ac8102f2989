/** A voucher: `<id>.<atomic units>.<seconds since 1970 when it ends>.<HMAC-SHA256 of these>`. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface Voucher {
  /** A UUID. */
  id: string
  amountAtomic: bigint
  endsAt: Date
}

const FORM = /^([0-9a-f-]{36})\.([1-9]\d{0,15})\.([1-9]\d{0,10})\.([A-Za-z0-9_-]{43})$/

export function signVoucher(secret: string, { id, amountAtomic, endsAt }: Voucher): string {
  const signed = `${id}.${amountAtomic}.${Math.floor(endsAt.getTime() / 1000)}`
  return `${signed}.${signatureOf(secret, signed).toString('base64url')}`
}

/** The voucher in `text`; null when this gateway did not sign it. It may have ended. */
export function readVoucher(secret: string, text: string): Voucher | null {
  const [, id, amount, ends, signature] = FORM.exec(text) ?? []
  if (!id || !amount || !ends || !signature) return null
  const expected = signatureOf(secret, `${id}.${amount}.${ends}`)
  if (!timingSafeEqual(expected, Buffer.from(signature, 'base64url'))) return null
  return { id, amountAtomic: BigInt(amount), endsAt: new Date(Number(ends) * 1000) }
}

function signatureOf(secret: string, text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest()
}
