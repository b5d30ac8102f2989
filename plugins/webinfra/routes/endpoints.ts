/**
 * /v1/admin/webinfra/endpoints: webhook endpoints and the rotation of their secrets. The handlers know
 * for whom they work, and serve the customers' desk as well.
 */
import {
  invalid,
  notFound,
  privateJson,
  readInput,
  stateConflict,
  type Failure,
  type Issue,
  type KeyDirectory,
  type Outbound,
  type PluginDb,
  type Route,
  type RouteRequest,
  type Vault,
} from '#kernel'
import { newSecret, withNewSecret } from '../secrets.ts'
import {
  countMade,
  deleteEndpoint,
  findEndpoint,
  listEndpoints,
  lockEndpoint,
  removeDestination,
  saveDestination,
  saveEndpoint,
  type KeyScope,
} from '../store/endpoints.ts'
import {
  newDestination,
  newEndpoint,
  patchedDestination,
  patchedEndpoint,
} from './endpoint-rows.ts'
import {
  matchDestinations,
  refuseOwner,
  refuseOwnerBeyond,
  refuseResumes,
  refuseTarget,
} from './guards.ts'
import {
  destinationIssues,
  EndpointInput,
  EndpointPatch,
  GRACE_DEFAULT_S,
  makesSecret,
  RotateInput,
  verificationIssues,
} from './inputs.ts'
import { PageQuery, pageOf } from './page.ts'
import { shownTo, showEndpoint } from './endpoint-view.ts'

export interface AdminDeps {
  db: PluginDb
  vault: Vault
  keys: KeyDirectory
  outbound: Outbound
  /** Public URL of the product, without a trailing slash. */
  productUrl: string
  now(): Date
}

export const TAG = 'Webhook relay'
export const NO_ENDPOINT = 'No webhook endpoint has this id'
const PATH = '/v1/admin/webinfra/endpoints'

/** Endpoints that the keys of one account may have; the operator makes as many as wanted. */
const MAX_OWN_ENDPOINTS = 100

/** Who changes something in this scope. */
export function editorOf(scope: KeyScope): 'operator' | 'owner' {
  return scope === null ? 'operator' : 'owner'
}

/** A handler that works for the keys of `scope`, whose endpoints alone it finds. */
export type ScopedHandler = (scope: KeyScope, request: RouteRequest) => Promise<Response | Failure>

export interface EndpointHandlers {
  create: ScopedHandler
  list: ScopedHandler
  get: ScopedHandler
  patch: ScopedHandler
  remove: ScopedHandler
  rotate: ScopedHandler
}

export function endpointHandlers(deps: AdminDeps): EndpointHandlers {
  const { db, vault, productUrl } = deps

  async function create(scope: KeyScope, request: RouteRequest): Promise<Response | Failure> {
    const input = await readInput(request, EndpointInput)
    if (!input.ok) return input
    const { value } = input
    const issues = [
      ...verificationIssues(value.verification, true),
      ...(value.destinations ?? []).flatMap((destination, index) =>
        destinationIssues(destination, `/destinations/${index}`),
      ),
    ]
    if (issues.length > 0) return invalid(issues)
    const refused =
      (scope && refuseOwnerBeyond(scope, value.apiKeyId ?? null)) ??
      (await guard(scope, value, request.signal))
    if (refused) return refused
    const now = deps.now()
    const shown = new Map<string, string>()
    const endpoint = await newEndpoint({ vault, now, shown, by: editorOf(scope) }, value)
    for (const destination of value.destinations ?? []) {
      endpoint.destinations.push(
        await newDestination({ vault, now, shown, by: editorOf(scope) }, endpoint.id, destination),
      )
    }
    const full = await db.transaction(async (tx) => {
      const { ownerKeyId } = endpoint
      if (scope !== null && ownerKeyId !== null) {
        const made = await countMade(tx, ownerKeyId, scope, now)
        if (made >= MAX_OWN_ENDPOINTS) return true
      }
      await saveEndpoint(tx, endpoint)
      for (const destination of endpoint.destinations) await saveDestination(tx, destination)
      return false
    })
    if (full) {
      return stateConflict(
        `An account has at most ${MAX_OWN_ENDPOINTS} endpoints, those deleted today included`,
        'full',
      )
    }
    return privateJson(showEndpoint(endpoint, productUrl, now, shown), 201)
  }

  async function guard(
    scope: KeyScope,
    given: { apiKeyId?: string | null; destinations?: readonly { url: string }[] },
    signal: AbortSignal,
  ): Promise<Failure | null> {
    const owner = await refuseOwner(deps.keys, given.apiKeyId)
    if (owner) return owner
    for (const [index, { url }] of (given.destinations ?? []).entries()) {
      const at = `/destinations/${index}`
      const target = await refuseTarget(deps.outbound, scope, { url, at, signal })
      if (target) return target
    }
    return null
  }

  async function list(scope: KeyScope, request: RouteRequest): Promise<Response | Failure> {
    const { query } = request
    const issues: Issue[] = []
    const page = pageOf(query, issues)
    if (issues.length > 0) return invalid(issues)
    const endpoints = await listEndpoints(db, page, scope)
    const now = deps.now()
    return privateJson({
      endpoints: endpoints.map((endpoint) =>
        shownTo(request, showEndpoint(endpoint, productUrl, now)),
      ),
      nextCursor: endpoints.length === page.limit ? endpoints.at(-1)!.id : null,
    })
  }

  async function get(scope: KeyScope, request: RouteRequest): Promise<Response | Failure> {
    const endpoint = await findEndpoint(db, request.params['id']!, scope)
    if (!endpoint) return notFound(NO_ENDPOINT)
    return privateJson(shownTo(request, showEndpoint(endpoint, productUrl, deps.now())))
  }

  async function patch(scope: KeyScope, request: RouteRequest): Promise<Response | Failure> {
    const input = await readInput(request, EndpointPatch)
    if (!input.ok) return input
    const { value } = input
    const changesOwner = scope !== null && value.apiKeyId !== undefined
    const refused =
      (changesOwner ? refuseOwnerBeyond(scope, value.apiKeyId ?? null) : null) ??
      (await guard(scope, value, request.signal))
    if (refused) return refused
    const now = deps.now()
    const shown = new Map<string, string>()
    const outcome = await db.transaction(async (tx) => {
      const endpoint = await lockEndpoint(tx, request.params['id']!, scope)
      if (!endpoint) return notFound(NO_ENDPOINT)
      const { matched, gone } = matchDestinations(endpoint.destinations, value.destinations ?? [])
      const paused = refuseResumes(editorOf(scope), endpoint, value.status, matched)
      if (paused) return paused
      const { verification } = value
      const changes = verification !== undefined && verification.scheme !== endpoint.scheme
      const issues = [
        ...(verification ? verificationIssues(verification, changes) : []),
        ...(value.destinations ?? []).flatMap((destination, index) =>
          destinationIssues(destination, `/destinations/${index}`),
        ),
      ]
      if (issues.length > 0) return invalid(issues)
      const applying = { vault, now, shown, by: editorOf(scope) }
      await saveEndpoint(tx, await patchedEndpoint(applying, endpoint, value))
      for (const { wanted, known } of matched) {
        const { id: _, ...fields } = wanted
        await saveDestination(
          tx,
          known
            ? await patchedDestination(applying, known, fields)
            : await newDestination(applying, endpoint.id, fields),
        )
      }
      if (value.destinations) for (const { id } of gone) await removeDestination(tx, id, now)
      return (await findEndpoint(tx, endpoint.id))!
    })
    if ('ok' in outcome) return outcome
    return privateJson(showEndpoint(outcome, productUrl, now, shown))
  }

  async function remove(scope: KeyScope, { params }: RouteRequest): Promise<Response | Failure> {
    const id = params['id']!
    if (!(await deleteEndpoint(db, id, deps.now(), scope))) return notFound(NO_ENDPOINT)
    return privateJson({ id, deleted: true })
  }

  async function rotate(scope: KeyScope, request: RouteRequest): Promise<Response | Failure> {
    const input = await readInput(request, RotateInput)
    if (!input.ok) return input
    const { secret, graceSeconds = GRACE_DEFAULT_S } = input.value
    const now = deps.now()
    const shown = new Map<string, string>()
    const outcome = await db.transaction(async (tx) => {
      const endpoint = await lockEndpoint(tx, request.params['id']!, scope)
      if (!endpoint) return notFound(NO_ENDPOINT)
      const { scheme } = endpoint
      if (scheme === 'none') {
        return invalid([{ path: '', message: 'this endpoint verifies nothing and has no secret' }])
      }
      const issues = verificationIssues({ scheme, ...(secret !== undefined && { secret }) }, true)
      if (issues.length > 0) return invalid(issues)
      const next = secret ?? newSecret()
      if (secret === undefined && makesSecret(scheme)) shown.set(endpoint.id, next)
      const secrets = await withNewSecret(vault, endpoint.secrets, next, graceSeconds * 1000, now)
      const changed = { ...endpoint, secrets, updatedAt: now }
      await saveEndpoint(tx, changed)
      return changed
    })
    if ('ok' in outcome) return outcome
    return privateJson(showEndpoint(outcome, productUrl, now, shown))
  }

  return { create, list, get, patch, remove, rotate }
}

/** The handler as the operator's, who finds everybody's endpoints. */
export const forOperator =
  (handler: ScopedHandler): Route['handler'] =>
  (request) =>
    handler(null, request)

export function endpointRoutes(handlers: EndpointHandlers): Route[] {
  const { create, list, get, patch, remove, rotate } = handlers
  const admin = { auth: 'admin', tag: TAG } as const
  return [
    {
      ...admin,
      method: 'POST',
      path: PATH,
      summary: 'Make a webhook endpoint; secrets made here are shown once',
      input: EndpointInput,
      statuses: [201, 403],
      handler: forOperator(create),
    },
    {
      ...admin,
      method: 'GET',
      path: PATH,
      summary: 'Webhook endpoints, newest first',
      query: PageQuery,
      handler: forOperator(list),
    },
    {
      ...admin,
      method: 'GET',
      path: `${PATH}/{id}`,
      summary: 'One webhook endpoint with its destinations',
      handler: forOperator(get),
    },
    {
      ...admin,
      method: 'PATCH',
      path: `${PATH}/{id}`,
      summary: 'Change a webhook endpoint; destinations given replace the list',
      input: EndpointPatch,
      statuses: [403],
      handler: forOperator(patch),
    },
    {
      ...admin,
      method: 'DELETE',
      path: `${PATH}/{id}`,
      summary: 'Delete a webhook endpoint; its deliveries stay listed',
      handler: forOperator(remove),
    },
    {
      ...admin,
      method: 'POST',
      path: `${PATH}/{id}/rotate`,
      summary: 'Make or set a new verification secret; the one before counts for a grace time',
      input: RotateInput,
      handler: forOperator(rotate),
    },
  ]
}
