/** Readiness: every check with its state and latency; a critical one that is down makes it 503. */
import { within, type Health } from '#kernel'
import { codeOf, StorageError } from '#kernel/host'

export interface CheckReport {
  state: 'ok' | 'degraded' | 'down'
  critical: boolean
  latencyMs: number
  detail?: string
}
export interface ReadyReport {
  status: 'ready' | 'degraded' | 'unavailable'
  checks: Record<string, CheckReport>
}

/** Probes and page loads share one round of checks for this long. */
const SHARED_MS = 500

/** Runs the checks that `health` names, at most once in half a second. */
export function sharedReadiness(health: () => readonly Health[]): () => Promise<ReadyReport> {
  let last: { at: number; report: Promise<ReadyReport> } | null = null
  return () => {
    if (!last || performance.now() - last.at > SHARED_MS)
      last = { at: performance.now(), report: checkHealth(health()) }
    return last.report
  }
}

/** Runs all checks side by side, each under its own timeout. */
async function checkHealth(checks: readonly Health[]): Promise<ReadyReport> {
  const reports = await Promise.all(
    checks.map(async (check) => [check.name, await probe(check)] as const),
  )
  const states = reports.map(([, report]) => report)
  const unavailable = states.some((report) => report.critical && report.state === 'down')
  const degraded = states.some((report) => report.state !== 'ok')
  return {
    status: unavailable ? 'unavailable' : degraded ? 'degraded' : 'ready',
    checks: Object.fromEntries(reports),
  }
}

async function probe(check: Health): Promise<CheckReport> {
  const startedAt = performance.now()
  const ending = new AbortController()
  const probing = Promise.resolve()
    .then(async () => reported(await check.probe(ending.signal)))
    .catch((error: unknown) => ({ state: 'down' as const, detail: failureText(error) }))
  const outcome = await within(probing, check.timeoutMs, () => {
    ending.abort(new DOMException('The check ran out of time', 'TimeoutError'))
    return { state: 'down' as const, detail: `no answer within ${check.timeoutMs} ms` }
  })
  return {
    state: outcome.state,
    critical: check.critical,
    latencyMs: Math.round((performance.now() - startedAt) * 10) / 10,
    ...(outcome.detail !== undefined && { detail: outcome.detail }),
  }
}

/** No message of an unknown error, which may quote a secret; its code (`ECONNREFUSED`, `57P03`) quotes nothing. */
function failureText(error: unknown): string {
  if (error instanceof StorageError) return `${error.message} ${error.fix}`
  const code = codeOf(error)
  return /^[A-Z0-9_]{3,40}$/.test(code) ? `the check failed: ${code}` : 'the check failed'
}

/** What a check said; throws for any other value, which a plugin in plain JavaScript may give. */
function reported(outcome: Awaited<ReturnType<Health['probe']>>): typeof outcome {
  const { state, detail } = outcome
  if (!['ok', 'degraded', 'down'].includes(state)) throw new TypeError('a check gave no state')
  return { state, ...(detail !== undefined && { detail: String(detail) }) }
}
