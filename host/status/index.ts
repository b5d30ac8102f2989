/** What the kernel is handed: the routes at which a gateway tells of its own state. */
import { bearerOf, secretTester, VERSION, type OpenStatus } from '#kernel/host'
import { httpSource } from '#kernel'
import { checksOf, hiddenChecks } from './checks.ts'
import { registerGauges } from './gauges.ts'
import { followGoneSeries } from './gone-series.ts'
import { followPluginGauges, showGauges } from './plugin-gauges.ts'
import { publicMetrics, publicReport } from './public-view.ts'
import { sharedReadiness } from './readiness.ts'
import { metaRoutes } from './routes.ts'

export const openStatus: OpenStatus = (parts) => {
  const { db, metrics, registry, operators } = parts
  const readiness = sharedReadiness(() => checksOf(db, registry))
  const isMetricsToken = secretTester(parts.metricsToken)
  registerGauges(parts, readiness)
  const ends = [
    followPluginGauges(registry, metrics, parts.log),
    followGoneSeries(registry, metrics),
  ]
  return {
    showGauges: (gauges) => showGauges(gauges, metrics, parts.log),
    close: () => ends.forEach((end) => end()),
    readiness: async () => publicReport(await readiness(), hiddenChecks(registry)),
    routes: metaRoutes({
      readiness,
      metrics,
      version: VERSION,
      startedAt: parts.startedAt,
      stopping: () => parts.stopping(),
      hiddenChecks: () => hiddenChecks(registry),
      publicMetrics: () =>
        publicMetrics(metrics, registry.current(), {
          routes: new Set(parts.routes.map(({ path }) => path)),
          hiddenChecks: hiddenChecks(registry),
        }),
      async isInsider({ request, clientAddress, operator }) {
        if (operator) return true
        const source = httpSource(request.headers)
        const bearer = bearerOf(source.header('authorization'))
        if (bearer === null || bearer === '') return false
        return isMetricsToken(bearer) || (await operators.identify(source, clientAddress)).ok
      },
    }),
  }
}
