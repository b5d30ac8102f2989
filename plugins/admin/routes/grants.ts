/** POST /v1/credits/grant: the operator gives credits, with the reason in the ledger entry. */
import {
  type Books,
  amountOf,
  atomicToCredits,
  type Failure,
  invalid,
  isAccountId,
  keyIdSchema,
  type LedgerDesk,
  notFound,
  privateJson,
  readInput,
  type Route,
  type RouteRequest,
} from '#kernel'
import { Type } from 'typebox'
import { REFERENCE_MAX, REFERENCE_PATTERN, wasThisGrant } from '../reference.ts'

export interface GrantDeps {
  accounts: Pick<Books['accounts'], 'get'>
  keys: Pick<Books['keys'], 'accountOf'>
  ledger: Pick<LedgerDesk, 'credit' | 'rows'>
}

const GrantInput = Type.Object(
  {
    apiKeyId: Type.Optional(keyIdSchema('Noted on the ledger row; its account gets the credits')),
    accountId: Type.Optional(
      Type.String({ maxLength: 36, description: 'Instead of apiKeyId: the account itself' }),
    ),
    amountCredits: Type.Optional(Type.Number({ description: 'At most 4 decimals' })),
    amountUsdcAtomic: Type.Optional(Type.Integer({ description: '10,000 are one credit' })),
    note: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '^[^\\x00]*\\S[^\\x00]*$',
      description: 'The reason, which stands in the ledger entry; the holder of the key sees it',
    }),
    reference: Type.String({
      minLength: 1,
      maxLength: REFERENCE_MAX,
      pattern: REFERENCE_PATTERN,
      description: 'The same one again grants nothing',
    }),
  },
  { additionalProperties: false },
)
const Granted = Type.Object({
  accountId: Type.String(),
  amountCredits: Type.Number(),
  amountUsdcAtomic: Type.Integer(),
  reference: Type.String(),
  ledgerId: Type.String(),
  availableCredits: Type.Number({ description: 'Of the account, after the grant' }),
  duplicate: Type.Boolean({ description: 'The reference had granted it before' }),
})

/** The system account debited, as by `coinop credits grant`. */
const SOURCE = 'adjustment'

export function grantRoute(deps: GrantDeps): Route {
  return {
    method: 'POST',
    path: '/v1/credits/grant',
    auth: 'admin',
    tag: 'Credits',
    summary:
      'Give credits to a key’s account or to an account, once per reference and with a reason',
    input: GrantInput,
    output: Granted,
    statuses: [404, 409],
    handler: (request) => grant(deps, request),
  }
}

async function grant(deps: GrantDeps, request: RouteRequest): Promise<Response | Failure> {
  const input = await readInput(request, GrantInput)
  if (!input.ok) return input
  const { reference, note } = input.value
  const amount = amountOf(input.value)
  if (!amount.ok) return amount
  const grantee = await granteeOf(deps, input.value)
  if ('ok' in grantee) return grantee
  const order = { ...grantee, amountAtomic: amount.value, source: SOURCE, reference, note }
  const result = await deps.ledger.credit({ ...order, kind: 'adjustment' })
  // An adjustment reaches a revoked key's account and a closed one too, as money that goes back does.
  if (result.outcome !== 'credited') return notFound('No API key or account has this id')
  const { ledgerId, duplicate, availableAtomic } = result
  if (duplicate && !(await wasThisGrant(deps.ledger, ledgerId, order))) {
    return invalid([{ path: '/reference', message: 'was used for another grant' }], 409)
  }
  return privateJson({
    accountId: grantee.accountId,
    amountCredits: atomicToCredits(amount.value),
    amountUsdcAtomic: Number(amount.value),
    reference,
    ledgerId,
    availableCredits: atomicToCredits(availableAtomic),
    duplicate,
  })
}

async function granteeOf(
  { accounts, keys }: GrantDeps,
  { apiKeyId, accountId }: { apiKeyId?: string; accountId?: string },
): Promise<{ accountId: string; keyId?: string } | Failure> {
  if ((apiKeyId === undefined) === (accountId === undefined)) {
    return invalid([{ path: '', message: 'needs exactly one of `apiKeyId` and `accountId`' }])
  }
  if (apiKeyId !== undefined) {
    const ofKey = await keys.accountOf(apiKeyId)
    return ofKey === null
      ? notFound('No API key has this id')
      : { accountId: ofKey, keyId: apiKeyId }
  }
  const account = isAccountId(accountId!) ? await accounts.get(accountId!) : null
  return account ? { accountId: account.id } : notFound('No account has this id')
}
