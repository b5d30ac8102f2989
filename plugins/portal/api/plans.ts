/** The plan of an account: which there are, which it has, beginning one and ending it. */
import { fail, readInput, type Accounts, type Failure, type Route } from '#kernel'
import { Type } from 'typebox'
import type { PlansDesk } from '../../shared/plans/contract.ts'
import { PORTAL_KEY } from './own-key.ts'
import { apiRoutes, unknown, type ApiDeps } from './route.ts'

const Order = Type.Object(
  { plan: Type.String({ minLength: 1, maxLength: 40 }) },
  { additionalProperties: false },
)

export interface PlanDeps extends ApiDeps {
  accounts: Pick<Accounts, 'ownKey'>
  /** Null while no product sells plans. */
  desk(): PlansDesk | null
}

export function planRoutes(deps: PlanDeps): Route[] {
  const { accounts, desk } = deps
  const route = apiRoutes(deps)
  return [
    route('GET', '/plan', 'Plans, and the one of the account', 'anyone', async ({ accountId }) => {
      const sold = desk()
      return Response.json({
        plans: sold?.plans() ?? [],
        subscription: (await sold?.of(accountId)) ?? null,
      })
    }),
    route('POST', '/plan', 'Begins a plan', 'owner', async ({ accountId }, asked) => {
      const input = await readInput(asked, Order)
      if (!input.ok) return input
      const sold = desk()
      const key = await accounts.ownKey(accountId, PORTAL_KEY)
      if (sold === null || key === null) return closed()
      const begun = await sold.begin({ planId: input.value.plan, keyId: key.keyId })
      return begun.ok ? Response.json(begun.subscription, { status: 201 }) : begun
    }),
    route('DELETE', '/plan', 'Ends the plan with its month', 'owner', async ({ accountId }) => {
      const ended = await desk()?.end(accountId)
      return ended ? Response.json(ended) : unknown('plan')
    }),
  ]
}

function closed(): Failure {
  return fail('PROCESSING_FAILURE', 'Plans cannot be bought here at this moment', { status: 503 })
}
