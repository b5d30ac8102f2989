/** Checks of admin input that need the network or the key directory. */
import {
  fail,
  invalid,
  KERNEL_REASONS,
  stateConflict,
  type Failure,
  type KeyDirectory,
  type Outbound,
} from '#kernel'
import type { Destination, Endpoint, KeyScope } from '../store/endpoints.ts'
import type { EndpointPatch } from './inputs.ts'

/**
 * 403 for a URL that the SSRF rules refuse now, 400 for one that does not parse; a name that does not resolve yet is fine.
 * Only the operator may name the port of another service, which forged requests could talk to.
 */
export async function refuseTarget(
  outbound: Outbound,
  scope: KeyScope,
  { url, at, signal }: { url: string; at: string; signal: AbortSignal },
): Promise<Failure | null> {
  const target = await outbound.check(url, { anyPort: scope === null, signal })
  if (target.ok || (target.reason !== 'ssrf' && target.reason !== 'invalid_url')) return null
  const issues = [{ path: `${at}/url`, message: target.message }]
  if (target.reason === 'invalid_url') return invalid(issues)
  return fail('INVALID_INPUT', `${at}/url may not be forwarded to: ${target.message}`, {
    status: 403,
    details: { reason: KERNEL_REASONS.ssrf, issues },
  })
}

/** 400 when an endpoint's owner is no usable API key. */
export async function refuseOwner(
  keys: KeyDirectory,
  apiKeyId: string | null | undefined,
): Promise<Failure | null> {
  if (apiKeyId === null || apiKeyId === undefined) return null
  const key = await keys.find(apiKeyId)
  if (key && key.revokedAt === null) return null
  return invalid([{ path: '/apiKeyId', message: key ? 'was revoked' : 'is no API key' }])
}

/** 409 when the owner wants to go on with what the operator paused. */
export function refuseResume(
  by: 'operator' | 'owner',
  pausedBy: string | null,
  status: 'enabled' | 'disabled' | undefined,
): Failure | null {
  if (by === 'operator' || pausedBy !== 'operator' || status !== 'enabled') return null
  return stateConflict('The operator paused it, and only the operator can enable it', 'paused')
}

type WantedDestination = NonNullable<EndpointPatch['destinations']>[number]

/** Each entry of a patch with the destination that it is about; null: it is a new one. */
export interface Matched {
  wanted: WantedDestination
  known: Destination | null
}

/** Entries by id or else by address, no destination twice, and those that no entry is about. */
export function matchDestinations(
  destinations: readonly Destination[],
  entries: readonly WantedDestination[],
): { matched: Matched[]; gone: Destination[] } {
  const left = new Set(destinations)
  const matched = entries.map((wanted) => {
    const { id, url } = wanted
    const isMeant = (one: Destination) => (id === undefined ? one.url === url : one.id === id)
    const known = [...left].find(isMeant) ?? null
    if (known) left.delete(known)
    return { wanted, known }
  })
  return { matched, gone: [...left] }
}

/** 409 when the patch enables the endpoint, or a destination, that the operator paused. */
export function refuseResumes(
  by: 'operator' | 'owner',
  { disabledBy }: Endpoint,
  status: EndpointPatch['status'],
  matched: readonly Matched[],
): Failure | null {
  const ofDestinations = matched.map(({ wanted, known }) =>
    refuseResume(by, known?.disabledReason ?? null, wanted.status),
  )
  return [refuseResume(by, disabledBy, status), ...ofDestinations].find(Boolean) ?? null
}

/** 400 unless one of the customer's own keys is to own the endpoint: whose it is stays unsaid. */
export function refuseOwnerBeyond(
  keyIds: readonly string[],
  apiKeyId: string | null,
): Failure | null {
  if (apiKeyId !== null && keyIds.includes(apiKeyId)) return null
  return invalid([{ path: '/apiKeyId', message: 'is no key of the account' }])
}
