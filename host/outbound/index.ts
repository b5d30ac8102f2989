/** The gateway's outbound network: everything of this folder made from one set of options. */
import type { Outbound } from '#kernel'
import type { OutboundOptions } from '#kernel/host'
import { allowList } from './allow-list.ts'
import { dialTcp } from './connect.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import { createGuardedRequest } from './guarded-request.ts'
import type { NetOptions } from './options.ts'
import { createRobotsGate } from './robots-gate.ts'
import { checkTarget, targetPolicy } from './target.ts'

/** What the kernel is handed. */
export function openOutbound({ allowPrivate, ...options }: OutboundOptions): Outbound {
  return createOutbound({ ...options, allowPrivate: allowList(allowPrivate) })
}

/** One per gateway; it opens nothing by itself and has nothing to close. */
export function createOutbound(options: NetOptions): Outbound {
  // The gate reads robots.txt through the fetch that asks it.
  const robots = createRobotsGate((url, init) => fetch(url, init), options.userAgent)
  const fetch = createGuardedFetch(options, robots)
  return {
    fetch,
    robots: (url, init) => robots(new URL(url), init),
    request: createGuardedRequest(options),
    check: (url, how) => checkTarget(url, targetPolicy(options, how)),
    async connect(url, { allowPrivate, signal }) {
      const target = await checkTarget(url, targetPolicy(options, { allowPrivate, signal }))
      return target.ok ? dialTcp(target, signal) : target
    },
  }
}
