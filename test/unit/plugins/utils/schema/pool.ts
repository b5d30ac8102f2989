/** A skill's context with a real document pool, for tests of the skills that use one. */
import { createDocumentPool } from '../../../../../host/document-jobs/index.ts'
import type { RunningPool } from '../../../../../kernel/jobs/contract.ts'
import type { SkillContext } from '../../../../../kernel/plugins/skill.ts'
import type { Logger } from '../../../../../kernel/log/logger.ts'

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** One warm child; call `stop` after the tests. */
export function startPool(): RunningPool {
  return createDocumentPool({ size: 1, log: silent })
}

/** A context with what the skills under test read: jobs, times and the date. */
export function contextWith(
  jobs: RunningPool,
  signal = new AbortController().signal,
): SkillContext {
  const context: Partial<SkillContext> = {
    jobs,
    signal,
    timeoutMs: 60_000,
    requestId: 'test',
    log: silent,
    now: () => new Date('2026-01-01T00:00:00Z'),
  }
  return context as SkillContext
}
