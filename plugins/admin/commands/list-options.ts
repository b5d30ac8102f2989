/** Options of `key list`, `account list` and `key rotate`, on the database and by --url. */
import type { PluginCommandContext } from '#kernel'
import { GRACE_DEFAULT_S, GRACE_MAX_S } from '../grace.ts'
import { spanMsIn } from './key-terms-options.ts'

type Options = PluginCommandContext['options']

export const BAD_GRACE =
  "--grace must be a span of at most 7d, such as 30m, 12h or 1d, or 'none' where the key leaked"

/** The text of --find; undefined: everything is listed. */
export function findIn({ find }: Options): string | undefined {
  return typeof find === 'string' && find !== '' ? find : undefined
}

/** Which keys are listed; without an option all of them. */
export function wantedIn(options: Options): { find?: string; accountId?: string } {
  const find = findIn(options)
  const { account } = options
  return {
    ...(find !== undefined && { find }),
    ...(typeof account === 'string' && { accountId: account }),
  }
}

/** How long the credential before stays valid; null for a text that says no such span. */
export function graceMsIn({ grace }: Options): number | null {
  if (typeof grace !== 'string') return GRACE_DEFAULT_S * 1000
  const spanMs = grace === 'none' ? 0 : spanMsIn(grace)
  return spanMs === null || spanMs > GRACE_MAX_S * 1000 ? null : spanMs
}
