/**
 * What everybody may see of /ready and /metrics: states and counts of what is sold in the open.
 * File paths, addresses of upstreams, unlisted products and revenue are shown only with the admin
 * token or METRICS_TOKEN.
 */
import { listedSkills, type PublicReadiness } from '#kernel'
import type { Metrics, ProductRegistry, ShownMetrics } from '#kernel/host'
import type { ReadyReport } from './readiness.ts'

/** The report without details, and without the checks of these names. */
export function publicReport(report: ReadyReport, hidden: ReadonlySet<string>): PublicReadiness {
  const shown = Object.entries(report.checks).filter(([name]) => !hidden.has(name))
  return {
    status: report.status,
    checks: Object.fromEntries(
      shown.map(([name, { state, critical, latencyMs }]) => [name, { state, critical, latencyMs }]),
    ),
  }
}

/** Metrics of revenue, of campaigns and of customers. */
const CLOSED = /atomic|acquisition|accounts_low|events_|subscriptions/

/**
 * The metrics without revenue and without series of products that are not listed. `own` are the
 * gateway's routes and the names of checks that are not for everybody.
 */
export function publicMetrics(
  metrics: Metrics,
  snapshot: ReturnType<ProductRegistry['current']>,
  own: { routes: ReadonlySet<string>; hiddenChecks: ReadonlySet<string> },
): ShownMetrics {
  const { skills, routes, hiddenProducts } = namesOf(snapshot)
  return metrics.where((name, { skill, route, check, ...others }) => {
    if (CLOSED.test(name)) return false
    if (check !== undefined && own.hiddenChecks.has(check)) return false
    if (skill !== undefined && !skills.has(skill)) return false
    if (route !== undefined && !routes.has(route) && !own.routes.has(route)) return false
    return !Object.values(others).some((value) => hiddenProducts.has(value))
  })
}

/** Names of what is sold in the open, with the paths and tools that requests are counted by. */
function namesOf(snapshot: ReturnType<ProductRegistry['current']>): {
  skills: ReadonlySet<string>
  routes: ReadonlySet<string>
  hiddenProducts: ReadonlySet<string>
} {
  const sold = listedSkills(snapshot)
  const idsWhere = (isPublic: boolean): string[] =>
    [...snapshot.products].flatMap(([id, { parts }]) =>
      (parts.spec.visibility === 'public') === isPublic ? [id] : [],
    )
  return {
    skills: new Set(sold.map(({ skill }) => skill.id)),
    routes: new Set([
      ...snapshot.routes.map(({ path }) => path),
      ...idsWhere(true).map((id) => `/v1/p/${id}`),
      ...sold.flatMap(({ route, tools }) => [
        ...(route ? [route.path] : []),
        ...tools.map(({ name }) => `mcp://tool/${name}`),
      ]),
    ]),
    hiddenProducts: new Set(idsWhere(false)),
  }
}
