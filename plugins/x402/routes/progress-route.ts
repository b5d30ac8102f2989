/**
 * POST /v1/x402/progress: how far a payment came, to whoever sent it. Whoever asks names the request and
 * repeats the signed payment. Its signature stands on the chain once it was settled, so the request id
 * must be right as well, and what is answered is no more than the chain tells of the transfer.
 */
import { timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import {
  atomicToCredits,
  invalid,
  notFound,
  nullable,
  privateJson,
  readInput,
  type Failure,
  type Route,
  type RouteRequest,
} from '#kernel'
import type { Claim } from '../claims/claim.ts'
import type { ClaimState } from '../claims/states.ts'
import { EvmEntry } from '../evm/entry.ts'
import { decodePayment } from '../payment/decode.ts'
import { isEvm, PAYMENT_SIGNATURE } from '../payment/wire.ts'
import type { X402Rail } from '../rail.ts'
import { PaymentText, RequestId } from './inputs.ts'

const Input = Type.Object(
  { requestId: RequestId, paymentSignature: PaymentText },
  { additionalProperties: false },
)
const STATES = ['held', 'transferring', 'transferred', 'given_back'] as const
const Output = Type.Object({
  state: Type.Enum([...STATES]),
  transaction: nullable('string'),
  ledger: Type.Array(
    Type.Object({
      id: Type.String(),
      kind: Type.Literal('settlement'),
      amountCredits: Type.Number(),
      amountUsdcAtomic: Type.Integer(),
    }),
    { description: 'The rows of this payment' },
  ),
})

const STATE: Readonly<Record<ClaimState, (typeof STATES)[number]>> = {
  working: 'held',
  settling: 'transferring',
  settled: 'transferred',
  settled_ahead: 'transferred',
  paid_ahead: 'transferred',
  redeeming: 'transferred',
  streaming: 'transferred',
  interrupted: 'transferred',
  abandoned: 'given_back',
  released: 'given_back',
  failed: 'given_back',
}

export function progressRoute(rail: X402Rail): Route {
  return {
    method: 'POST',
    path: '/v1/x402/progress',
    auth: 'public',
    rateLimited: true,
    tag: 'x402',
    summary: 'How far a payment came: held, transferring, transferred, in the ledger',
    description:
      'For whoever sent the payment: the request id of the call and the PAYMENT-SIGNATURE that it brought (EIP-3009 and Permit2). Anything else is 404.',
    input: Input,
    output: Output,
    statuses: [404],
    handler: (request) => progress(rail, request),
  }
}

async function progress(rail: X402Rail, request: RouteRequest): Promise<Response | Failure> {
  const input = await readInput(request, Input)
  if (!input.ok) return input
  const { requestId, paymentSignature } = input.value
  const decoded = decodePayment(PAYMENT_SIGNATURE, paymentSignature)
  if (!decoded.ok) {
    return invalid([{ path: '/paymentSignature', message: 'must be a payment of x402' }])
  }
  const { payment } = decoded
  // A payment for no network that is taken is read by the main entry, which may be one of Solana.
  const entry = rail.core?.entryFor(payment)
  const claim =
    rail.core && entry instanceof EvmEntry && isEvm(payment)
      ? await rail.core.claims.byPayment(entry.keyOf(payment))
      : null
  const isTheirs =
    claim !== null &&
    isEvm(payment) &&
    claim.requestId === requestId &&
    isSame(signatureOf(claim), payment.signature)
  if (!isTheirs) return notFound('No call brought this payment under this request id')
  const { state, transaction, ledgerId, amountAtomic } = claim
  return privateJson({
    state: STATE[state],
    transaction,
    ledger:
      ledgerId === null
        ? []
        : [
            {
              id: ledgerId,
              kind: 'settlement',
              amountCredits: atomicToCredits(amountAtomic),
              amountUsdcAtomic: Number(amountAtomic),
            },
          ],
  })
}

function signatureOf({ payment }: Claim): string | null {
  return payment && 'payload' in payment && 'signature' in payment.payload
    ? payment.payload.signature
    : null
}

function isSame(kept: string | null, presented: string): boolean {
  if (kept === null) return false
  const [left, right] = [kept, presented].map((text) => Buffer.from(text.toLowerCase()))
  return left!.length === right!.length && timingSafeEqual(left!, right!)
}
