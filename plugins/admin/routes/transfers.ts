/** POST /v1/accounts/{id}/transfer: the operator moves credits from one account to another. */
import {
  type Books,
  amountOf,
  atomicToCredits,
  fail,
  type Failure,
  invalid,
  isAccountId,
  type LedgerDesk,
  notFound,
  privateJson,
  readInput,
  KERNEL_REASONS,
  type Route,
  type RouteRequest,
  type TransferResult,
} from '#kernel'
import { Type } from 'typebox'
import { REFERENCE_MAX, REFERENCE_PATTERN } from '../reference.ts'

export interface TransferDeps {
  accounts: Pick<Books['accounts'], 'get'>
  ledger: Pick<LedgerDesk, 'transfer'>
}

const TransferInput = Type.Object(
  {
    toAccountId: Type.String({ maxLength: 36 }),
    amountCredits: Type.Optional(Type.Number({ description: 'At most 4 decimals' })),
    amountUsdcAtomic: Type.Optional(Type.Integer({ description: '10,000 are one credit' })),
    reference: Type.String({
      minLength: 1,
      maxLength: REFERENCE_MAX,
      pattern: REFERENCE_PATTERN,
      description: 'The same one again moves nothing',
    }),
    note: Type.Optional(Type.String({ maxLength: 500, pattern: '^[^\\x00]*$' })),
  },
  { additionalProperties: false },
)
const Transferred = Type.Object({
  fromAccountId: Type.String(),
  toAccountId: Type.String(),
  amountCredits: Type.Number(),
  amountUsdcAtomic: Type.Integer(),
  reference: Type.String(),
  ledgerId: Type.String({ description: 'The row that left the account' }),
  availableCredits: Type.Number({ description: 'Of the account that they left' }),
  duplicate: Type.Boolean({ description: 'The reference had moved it before' }),
})

export function transferRoute(deps: TransferDeps): Route {
  return {
    method: 'POST',
    path: '/v1/accounts/{id}/transfer',
    auth: 'admin',
    tag: 'Accounts',
    summary: 'Move credits to another account of the same mode, once per reference',
    input: TransferInput,
    output: Transferred,
    statuses: [402, 409],
    handler: (request) => transfer(deps, request),
  }
}

async function transfer(
  { accounts, ledger }: TransferDeps,
  request: RouteRequest,
): Promise<Response | Failure> {
  const input = await readInput(request, TransferInput)
  if (!input.ok) return input
  const { toAccountId, reference, note } = input.value
  const amount = amountOf(input.value)
  if (!amount.ok) return amount
  const from = await accounts.get(request.params.id!)
  if (!from) return notFound('No account has this id')
  if (toAccountId === from.id) return wrongTarget('must be another account')
  if (!isAccountId(toAccountId)) return wrongTarget('names no account')
  const order = { fromAccountId: from.id, toAccountId, amountAtomic: amount.value }
  const result = await ledger.transfer({ ...order, reference, ...(note !== undefined && { note }) })
  return transferAnswer(result, order, reference)
}

function transferAnswer(
  result: TransferResult,
  order: { fromAccountId: string; toAccountId: string; amountAtomic: bigint },
  reference: string,
): Response | Failure {
  const { fromAccountId, toAccountId, amountAtomic } = order
  switch (result.outcome) {
    case 'transferred':
      return privateJson({
        fromAccountId,
        toAccountId,
        amountCredits: atomicToCredits(amountAtomic),
        amountUsdcAtomic: Number(amountAtomic),
        reference,
        ledgerId: result.ledgerId,
        duplicate: result.duplicate,
        availableCredits: atomicToCredits(result.fromAvailableAtomic),
      })
    case 'insufficient':
      return fail('PAYMENT_REQUIRED', 'The account has too few credits for this transfer', {
        details: {
          balanceCredits: atomicToCredits(result.availableAtomic),
          amountCredits: atomicToCredits(amountAtomic),
        },
      })
    case 'unknown_account':
      return wrongTarget('names no account')
    case 'mode_mismatch':
      return wrongTarget('is of the other mode: live and test credits never meet')
    case 'closed':
      return fail('INVALID_INPUT', `The account ${result.accountId} is closed`, {
        status: 409,
        details: { reason: KERNEL_REASONS.account_closed },
      })
    case 'other_transfer':
      return invalid([{ path: '/reference', message: 'was used for another transfer' }], 409)
  }
}

function wrongTarget(message: string): Failure {
  return invalid([{ path: '/toAccountId', message }])
}
