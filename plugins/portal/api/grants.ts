/** Apps: permissions that the account gave, each with a budget. */
import {
  invalid,
  readInput,
  type AccountKey,
  type AccountKeys,
  type Failure,
  type Route,
} from '#kernel'
import { Type } from 'typebox'
import type { OauthClients } from '../../shared/portal/clients.ts'
import type { Person } from '../people.ts'
import { LIMITS, limitsOf, PRODUCTS } from './limits.ts'
import { pageOf } from './page.ts'
import { apiRoutes, onlyKeyOf, unknown, type ApiDeps } from './route.ts'
import { isApp, spendView } from './views.ts'

const Changes = Type.Object({ ...LIMITS, products: PRODUCTS }, { additionalProperties: false })

export interface GrantDeps extends ApiDeps {
  accountKeys: AccountKeys
  /** Who stands behind grants; null while no product knows. */
  clients(): OauthClients | null
}

export function grantRoutes(deps: GrantDeps): Route[] {
  const { accountKeys, clients } = deps
  const route = apiRoutes(deps)

  async function find(person: Person, id: string): Promise<AccountKey | null> {
    const grant = await accountKeys.get(person.accountId, id)
    if (grant === null || !isSeen(person, grant)) return null
    return grant
  }

  async function views(grants: readonly AccountKey[]) {
    const known = (await clients()?.ofGrants(grants.map(({ id }) => id))) ?? new Map()
    return grants.map((grant) => {
      const client = known.get(grant.id)
      return {
        ...spendView(grant),
        clientName: client?.clientName ?? grant.name,
        clientId: client?.clientId ?? null,
        documentHost: client?.documentHost ?? null,
        redirectHost: client?.redirectHost ?? null,
        scopes: client?.scopes ?? [],
        parentKeyId: grant.parentKeyId,
      }
    })
  }

  const one = async (grant: AccountKey): Promise<Response> =>
    Response.json((await views([grant]))[0])

  return [
    route('GET', '/grants', 'Apps, newest first', 'anyone', async (person, { query }) => {
      const page = pageOf(query)
      if (!page.ok) return page
      const { records, nextCursor } = await accountKeys.list(person.accountId, {
        kind: 'grant',
        ...page.page,
      })
      const grants = await views(records.filter((grant) => isSeen(person, grant)))
      return Response.json({ grants, nextCursor })
    }),
    route('GET', '/grants/{id}', 'One app', 'anyone', async (person, { params }) => {
      const grant = await find(person, params['id']!)
      return grant ? one(grant) : unknown('app')
    }),
    route(
      'PATCH',
      '/grants/{id}',
      'Changes the budget of an app',
      'owner',
      async (person, asked) => {
        const input = await readInput(asked, Changes)
        if (!input.ok) return input
        const { products, ...said } = input.value
        const limits = limitsOf(said)
        if (!limits.ok) return limits
        const grant = await find(person, asked.params['id']!)
        if (grant === null) return unknown('app')
        const refusal = unlimited({ ...grant.limits, ...limits.limits })
        if (refusal) return refusal
        const changed = await accountKeys.patch(person.accountId, grant.id, {
          limits: limits.limits,
          ...(products !== undefined && { products }),
        })
        return changed ? one(changed) : unknown('app')
      },
    ),
    route(
      'DELETE',
      '/grants/{id}',
      'Takes the permission away',
      'anyone',
      async (person, { params }) => {
        const grant = await find(person, params['id']!)
        if (grant === null) return unknown('app')
        const gone = await accountKeys.revoke(person.accountId, grant.id)
        return gone ? one(gone) : unknown('app')
      },
    ),
  ]
}

/** Whether it is an app, and for a key with a budget one that was let in by that key. */
function isSeen(person: Person, grant: AccountKey): boolean {
  const only = onlyKeyOf(person)
  return isApp(grant) && (only === null || grant.parentKeyId === only)
}

/** An app always has a limit by the day or the month. */
function unlimited({ dayAtomic, monthAtomic }: AccountKey['limits']): Failure | null {
  if (dayAtomic !== null || monthAtomic !== null) return null
  return invalid([{ path: '/day', message: 'or /month must limit what the app may spend' }])
}
