/** A payment that came in another dialect than x402's, in the form that entries judge. */
import type { Hex } from 'viem'
import type {
  ForeignPayment,
  TempoTransaction,
  TransferAuthorization,
} from '../../shared/payments/contract.ts'
import { decodePayload, type Decoded } from './decode.ts'
import { authorizationTexts } from './payload.ts'

/** It in the form of a version 2 payment whose client repeated no offer. */
export function foreignPayment(payment: ForeignPayment): Decoded {
  return 'transaction' in payment ? tempoPayment(payment) : authorizedTransfer(payment)
}

function tempoPayment({ network, transaction, nonce, payer }: TempoTransaction): Decoded {
  const signed = { method: 'tempo', transaction: transaction as Hex, nonce, payer } as const
  return { ok: true, payment: { ...frame('charge', network), ...signed } }
}

/** The same authorization of the token as x402 has it. */
function authorizedTransfer(transfer: TransferAuthorization): Decoded {
  const { network, signature } = transfer
  const signed = { signature, authorization: authorizationTexts(transfer) }
  const read = decodePayload(signed, 2, 'exact')
  if (!read.ok) return read
  return { ok: true, payment: { ...frame('exact', network), ...read.signed } }
}

function frame(scheme: string, network: string) {
  return { version: 2, scheme, network, accepted: null, echoed: {}, identifier: null } as const
}
