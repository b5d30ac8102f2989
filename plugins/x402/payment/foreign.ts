/** A payment that came in another dialect than x402's: the same authorization of the token. */
import type { TransferAuthorization } from '../../shared/payments/contract.ts'
import { decodePayload } from './decode.ts'
import type { Decoded } from './decode.ts'

/** It in the form of a version 2 payment whose client repeated no offer. */
export function foreignPayment(authorization: TransferAuthorization): Decoded {
  const { network, from, to, value, validAfter, validBefore, nonce, signature } = authorization
  const signed = {
    signature,
    authorization: {
      from,
      to,
      value: value.toString(),
      validAfter: validAfter.toString(),
      validBefore: validBefore.toString(),
      nonce,
    },
  }
  const read = decodePayload(signed, 2, 'exact')
  if (!read.ok) return read
  const payment = { version: 2, scheme: 'exact', network, accepted: null, ...read.signed } as const
  return { ok: true, payment: { ...payment, echoed: {}, identifier: null } }
}
