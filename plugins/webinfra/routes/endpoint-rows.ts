/** From checked input to rows: secrets are made or taken and sealed, times and states set. */
import type { Vault } from '#kernel'
import { DEFAULT_MAX_ATTEMPTS, DEFAULT_TIMEOUT_MS } from '../config.ts'
import { makeId } from '../ids.ts'
import { newSecret, withNewSecret } from '../secrets.ts'
import type { Destination, Endpoint } from '../store/endpoints.ts'
import type {
  DestinationInput,
  DestinationPatch,
  EndpointInput,
  EndpointPatch,
  VerificationInput,
} from './inputs.ts'

export interface ApplyDeps {
  vault: Vault
  now: Date
  /** Gets the plaintext of each secret that was made here, by the id of what it belongs to. */
  shown: Map<string, string>
  /** Who changes it: stands at a destination that was disabled. */
  by: 'operator' | 'owner'
}

/** A new endpoint without its destinations. */
export async function newEndpoint(deps: ApplyDeps, input: EndpointInput): Promise<Endpoint> {
  const blank: Endpoint = {
    id: makeId('ep'),
    name: input.name,
    ownerKeyId: input.apiKeyId ?? null,
    scheme: 'none',
    header: null,
    algorithm: null,
    secrets: [],
    maxAttempts: input.maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
    timeoutMs: input.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    enabled: input.status !== 'disabled',
    disabledBy: input.status === 'disabled' ? deps.by : null,
    createdAt: deps.now,
    updatedAt: deps.now,
    destinations: [],
  }
  return withVerification(deps, blank, input.verification)
}

/** The endpoint with a patch's own fields; destinations stay as they are. */
export async function patchedEndpoint(
  deps: ApplyDeps,
  endpoint: Endpoint,
  patch: EndpointPatch,
): Promise<Endpoint> {
  const changed: Endpoint = {
    ...endpoint,
    name: patch.name ?? endpoint.name,
    ownerKeyId: patch.apiKeyId === undefined ? endpoint.ownerKeyId : patch.apiKeyId,
    maxAttempts: patch.maxAttempts ?? endpoint.maxAttempts,
    timeoutMs: patch.timeoutMs ?? endpoint.timeoutMs,
    ...pausedBy(deps.by, endpoint, patch.status),
    updatedAt: deps.now,
  }
  return patch.verification ? withVerification(deps, changed, patch.verification) : changed
}

/** A pause by the operator stays one, whatever its owner asks for besides. */
function pausedBy(
  by: ApplyDeps['by'],
  { enabled, disabledBy }: Endpoint,
  status: EndpointPatch['status'],
): Pick<Endpoint, 'enabled' | 'disabledBy'> {
  if (status === undefined) return { enabled, disabledBy }
  if (status === 'enabled') return { enabled: true, disabledBy: null }
  return { enabled: false, disabledBy: by === 'operator' ? by : (disabledBy ?? by) }
}

/** A given secret replaces the others at once; of the same scheme, what is not given stays. */
async function withVerification(
  deps: ApplyDeps,
  endpoint: Endpoint,
  given: VerificationInput,
): Promise<Endpoint> {
  const { scheme } = given
  const before = scheme === endpoint.scheme ? endpoint : null
  let secrets = given.secret === undefined ? (before?.secrets ?? []) : []
  if (scheme !== 'none' && secrets.length === 0)
    secrets = await onlySecret(deps, endpoint.id, given.secret)
  return {
    ...endpoint,
    scheme,
    header: given.header?.toLowerCase() ?? before?.header ?? null,
    algorithm: scheme === 'hmac' ? (given.algorithm ?? before?.algorithm ?? 'sha256') : null,
    secrets,
  }
}

export async function newDestination(
  deps: ApplyDeps,
  endpointId: string,
  input: DestinationInput,
): Promise<Destination> {
  const id = makeId('dst')
  const blank: Destination = {
    id,
    endpointId,
    url: input.url,
    headers: null,
    headerNames: [],
    secrets: await onlySecret(deps, id, input.secret),
    events: null,
    enabled: true,
    disabledReason: null,
    failingSince: null,
    disabledAt: null,
    createdAt: deps.now,
  }
  const { secret: _, ...rest } = input
  return patchedDestination(deps, blank, rest)
}

/** A given secret replaces the others at once; rotation with grace has its own route. */
export async function patchedDestination(
  deps: ApplyDeps,
  destination: Destination,
  patch: DestinationPatch,
): Promise<Destination> {
  const changed = { ...destination, url: patch.url ?? destination.url }
  if (patch.headers !== undefined) {
    const names = Object.keys(patch.headers)
    changed.headerNames = names
    changed.headers =
      names.length === 0 ? null : await deps.vault.seal(JSON.stringify(lowerCased(patch.headers)))
  }
  if (patch.secret !== undefined) {
    changed.secrets = await onlySecret(deps, destination.id, patch.secret)
  }
  if (patch.events !== undefined) changed.events = patch.events
  if (patch.status !== undefined && (patch.status === 'enabled') !== destination.enabled) {
    changed.enabled = patch.status === 'enabled'
    changed.disabledReason = changed.enabled ? null : deps.by
    changed.disabledAt = changed.enabled ? null : deps.now
  }
  return changed
}

async function onlySecret(deps: ApplyDeps, ownerId: string, given: string | undefined) {
  const secret = given ?? newSecret()
  if (given === undefined) deps.shown.set(ownerId, secret)
  return withNewSecret(deps.vault, [], secret, 0, deps.now)
}

/** Node's request headers are case-insensitive; ours must not stand beside them twice. */
function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}
