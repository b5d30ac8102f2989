/** /v1/admin/webinfra/endpoints/{id}/destinations: where an endpoint's webhooks go. */
import {
  invalid,
  notFound,
  privateJson,
  readInput,
  signingSecretProblem,
  stateConflict,
  type Failure,
  type Route,
  type RouteRequest,
} from '#kernel'
import { newSecret, withNewSecret } from '../secrets.ts'
import {
  lockEndpoint,
  removeDestination,
  saveDestination,
  type Destination,
  type KeyScope,
  type Queries,
} from '../store/endpoints.ts'
import { newDestination, patchedDestination } from './endpoint-rows.ts'
import {
  editorOf,
  forOperator,
  NO_ENDPOINT,
  TAG,
  type AdminDeps,
  type ScopedHandler,
} from './endpoints.ts'
import { refuseResume, refuseTarget } from './guards.ts'
import {
  destinationIssues,
  DestinationInput,
  DestinationPatch,
  GRACE_DEFAULT_S,
  MAX_DESTINATIONS,
  RotateInput,
} from './inputs.ts'
import { showDestination } from './endpoint-view.ts'

const NO_DESTINATION = 'This endpoint has no destination of that id'
const PATH = '/v1/admin/webinfra/endpoints/{id}/destinations'

export interface DestinationHandlers {
  add: ScopedHandler
  patch: ScopedHandler
  remove: ScopedHandler
  rotate: ScopedHandler
}

export function destinationHandlers(deps: AdminDeps): DestinationHandlers {
  const { db, vault } = deps

  /** Runs `change` on the destination under its endpoint's lock and saves what it returns. */
  async function changing(
    scope: KeyScope,
    { params }: RouteRequest,
    shown: ReadonlyMap<string, string>,
    change: (destination: Destination, tx: Queries) => Promise<Destination | Failure>,
  ): Promise<Response | Failure> {
    const outcome = await db.transaction(async (tx) => {
      const endpoint = await lockEndpoint(tx, params['id']!, scope)
      if (!endpoint) return notFound(NO_ENDPOINT)
      const known = endpoint.destinations.find(({ id }) => id === params['destinationId'])
      if (!known) return notFound(NO_DESTINATION)
      const changed = await change(known, tx)
      if ('ok' in changed) return changed
      await saveDestination(tx, changed)
      return changed
    })
    if ('ok' in outcome) return outcome
    return privateJson(showDestination(outcome, deps.now(), shown))
  }

  async function add(scope: KeyScope, request: RouteRequest): Promise<Response | Failure> {
    const input = await readInput(request, DestinationInput)
    if (!input.ok) return input
    const issues = destinationIssues(input.value, '')
    if (issues.length > 0) return invalid(issues)
    const { signal } = request
    const { url } = input.value
    const refused = await refuseTarget(deps.outbound, scope, { url, at: '', signal })
    if (refused) return refused
    const shown = new Map<string, string>()
    const now = deps.now()
    const outcome = await db.transaction(async (tx) => {
      const endpoint = await lockEndpoint(tx, request.params['id']!, scope)
      if (!endpoint) return notFound(NO_ENDPOINT)
      if (endpoint.destinations.length >= MAX_DESTINATIONS) {
        return stateConflict(`An endpoint has at most ${MAX_DESTINATIONS} destinations`, 'full')
      }
      const made = await newDestination(
        { vault, now, shown, by: editorOf(scope) },
        endpoint.id,
        input.value,
      )
      await saveDestination(tx, made)
      return made
    })
    if ('ok' in outcome) return outcome
    return privateJson(showDestination(outcome, now, shown), 201)
  }

  async function patch(scope: KeyScope, request: RouteRequest): Promise<Response | Failure> {
    const input = await readInput(request, DestinationPatch)
    if (!input.ok) return input
    const issues = destinationIssues(input.value, '')
    if (issues.length > 0) return invalid(issues)
    const { url } = input.value
    const refused =
      url === undefined
        ? null
        : await refuseTarget(deps.outbound, scope, { url, at: '', signal: request.signal })
    if (refused) return refused
    const shown = new Map<string, string>()
    const by = editorOf(scope)
    return changing(
      scope,
      request,
      shown,
      async (destination) =>
        refuseResume(by, destination.disabledReason, input.value.status) ??
        patchedDestination({ vault, now: deps.now(), shown, by }, destination, input.value),
    )
  }

  async function rotate(scope: KeyScope, request: RouteRequest): Promise<Response | Failure> {
    const input = await readInput(request, RotateInput)
    if (!input.ok) return input
    const { secret, graceSeconds = GRACE_DEFAULT_S } = input.value
    const problem = secret === undefined ? null : signingSecretProblem(secret)
    if (problem !== null) return invalid([{ path: '/secret', message: problem }])
    const shown = new Map<string, string>()
    return changing(scope, request, shown, async (destination) => {
      const next = secret ?? newSecret()
      if (secret === undefined) shown.set(destination.id, next)
      const { secrets } = destination
      return {
        ...destination,
        secrets: await withNewSecret(vault, secrets, next, graceSeconds * 1000, deps.now()),
      }
    })
  }

  async function remove(scope: KeyScope, { params }: RouteRequest): Promise<Response | Failure> {
    const id = params['destinationId']!
    const outcome = await db.transaction(async (tx) => {
      const endpoint = await lockEndpoint(tx, params['id']!, scope)
      if (!endpoint) return notFound(NO_ENDPOINT)
      if (!endpoint.destinations.some((known) => known.id === id)) return notFound(NO_DESTINATION)
      await removeDestination(tx, id, deps.now())
      return null
    })
    return outcome ?? privateJson({ id, deleted: true })
  }

  return { add, patch, remove, rotate }
}

export function destinationRoutes(handlers: DestinationHandlers): Route[] {
  const { add, patch, remove, rotate } = handlers
  const admin = { auth: 'admin', tag: TAG } as const
  return [
    {
      ...admin,
      method: 'POST',
      path: PATH,
      summary: 'Add a destination; a secret made here is shown once',
      input: DestinationInput,
      statuses: [201, 403],
      handler: forOperator(add),
    },
    {
      ...admin,
      method: 'PATCH',
      path: `${PATH}/{destinationId}`,
      summary: 'Change, enable or disable a destination',
      input: DestinationPatch,
      statuses: [403],
      handler: forOperator(patch),
    },
    {
      ...admin,
      method: 'DELETE',
      path: `${PATH}/{destinationId}`,
      summary: 'Remove a destination; what waits for it is cancelled',
      handler: forOperator(remove),
    },
    {
      ...admin,
      method: 'POST',
      path: `${PATH}/{destinationId}/rotate`,
      summary: 'Make or set a new signing secret; both sign during the grace time',
      input: RotateInput,
      handler: forOperator(rotate),
    },
  ]
}
