/**
 * What everybody may see of /ready and /metrics: states and counts of what is sold in the open. File
 * paths, addresses of upstreams, products that are not listed and revenue are for whoever brings the
 * admin token or METRICS_TOKEN.
 */
import type { Metrics } from '../log/metrics.ts'
import type { PublicNames } from '../products/public-names.ts'
import type { PublicReadiness } from '../plugins/services.ts'
import type { ReadyReport } from './health.ts'

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

/** The metrics without revenue and without series of products that are not listed. */
export function publicMetrics(
  metrics: Metrics,
  names: PublicNames,
  ownRoutes: ReadonlySet<string>,
): Pick<Metrics, 'text' | 'json'> {
  return metrics.where((name, { skill, route, ...others }) => {
    if (CLOSED.test(name)) return false
    if (skill !== undefined && !names.skills.has(skill)) return false
    if (route !== undefined && !names.routes.has(route) && !ownRoutes.has(route)) return false
    return !Object.values(others).some((value) => names.hiddenProducts.has(value))
  })
}
