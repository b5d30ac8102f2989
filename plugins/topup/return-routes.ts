/** What an operator sees of credits that were to be given back and were not, and how they are. */
import { Type } from 'typebox'
import {
  atomicToCredits,
  notFound,
  privateJson,
  readInput,
  stateConflict,
  type Failure,
  type Route,
  type RouteRequest,
} from '#kernel'
import type { CreditingDeps } from './crediting.ts'
import { returnByName, unreturned } from './returning.ts'

const TAG = 'Top-ups'

export const OWED_PATH = '/v1/admin/topup/owed'
export const RETURN_PATH = '/v1/admin/topup/return'

const NAME = {
  provider: Type.Enum(['provider_a', 'provider_b']),
  kind: Type.Enum(['refund', 'dispute']),
  id: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\x00-\\x1f\\x7f]+$' }),
}
const ReturnInput = Type.Object(NAME, { additionalProperties: false })
const Owed = Type.Object({
  ...NAME,
  reference: Type.String({ description: 'Of the top-up' }),
  apiKeyId: Type.String(),
  credits: Type.Number(),
  takenAt: Type.String({ format: 'date-time' }),
  isRetried: Type.Boolean({ description: 'The gateway tries it again each hour' }),
})
const Returned = Type.Object({
  ...NAME,
  apiKeyId: Type.String(),
  credits: Type.Number(),
  duplicate: Type.Boolean({ description: 'They were given back before' }),
})

export function returnRoutes(deps: CreditingDeps): Route[] {
  return [
    {
      method: 'GET',
      path: OWED_PATH,
      auth: 'admin',
      tag: TAG,
      summary: 'Refunds and disputes that the merchant won and whose credits were not given back',
      description:
        'By the ledger, oldest first. Those that an operator gave back by other means are listed too: compare with the ledger of the key before you give one back.',
      output: Type.Object({ rows: Type.Array(Owed) }),
      handler: async () => {
        const rows = await unreturned(deps)
        return privateJson({
          rows: rows.map(
            ({ provider, kind, id, reference, keyId, takenAtomic, at, isRetried }) => ({
              provider,
              kind,
              id,
              reference,
              apiKeyId: keyId,
              isRetried,
              credits: atomicToCredits(takenAtomic),
              takenAt: at.toISOString(),
            }),
          ),
        })
      },
    },
    {
      method: 'POST',
      path: RETURN_PATH,
      auth: 'admin',
      tag: TAG,
      summary: 'Give back what one refund or dispute took that the merchant won, once',
      input: ReturnInput,
      output: Returned,
      statuses: [404, 409],
      handler: (request) => giveBackOne(deps, request),
    },
  ]
}

async function giveBackOne(
  deps: CreditingDeps,
  request: RouteRequest,
): Promise<Response | Failure> {
  const input = await readInput(request, ReturnInput)
  if (!input.ok) return input
  const name = input.value
  const done = await returnByName(deps, name)
  switch (done.outcome) {
    case 'unknown':
      return notFound('No refund or dispute of this name has taken credits of a top-up here')
    case 'not_over':
      return stateConflict(
        'The provider has not said that it ended in the merchant’s favour',
        'taken',
      )
    case 'refused':
      return stateConflict(`The credits cannot be given back: ${done.reason}`, done.reason)
    case 'returned':
    case 'already': {
      const { keyId: apiKeyId, outcome } = done
      const credits = atomicToCredits(done.amountAtomic)
      deps.log.info({ ...name, apiKeyId, credits, outcome }, 'top-up given back')
      return privateJson({ ...name, apiKeyId, credits, duplicate: outcome === 'already' })
    }
  }
}
