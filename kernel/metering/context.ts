/** Makes the context a skill sees from its plugin's environment and the call. */
import { poolOf } from '../jobs/shared.ts'
import type { MountedSkill } from '../plugins/catalog.ts'
import type { CallerView, SkillContext } from '../plugins/contract.ts'
import type { ClientView } from '../plugins/mcp-contract.ts'

export function skillContext(
  mounted: MountedSkill,
  call: {
    requestId: string
    signal: AbortSignal
    caller: CallerView
    client?: ClientView
  },
): SkillContext {
  const { env } = mounted
  return {
    config: env.config,
    requestId: call.requestId,
    signal: call.signal,
    caller: call.caller,
    log: env.log,
    fetch: (url, init) => env.fetch(url, { ...init, signal: init?.signal ?? call.signal }),
    jobs: poolOf(env.jobs, call.caller.share),
    db: env.db,
    progress: (report) => call.client?.progress(report),
    client: call.client ?? null,
    now: env.now,
  }
}
