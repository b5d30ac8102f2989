/** What the kernel is handed: how the gateway writes its log, counts, and sends its traces. */
import type { Metrics } from '#kernel/host'
import { logLinesLost } from './log.ts'
import { PrometheusMetrics } from './metrics.ts'

export { createLog } from './log.ts'
export { createTracer } from './trace.ts'

export function createMetrics(): Metrics {
  const metrics = new PrometheusMetrics()
  metrics.labelled(
    {
      name: 'gateway_log_lines_lost_total',
      help: 'Log lines that were dropped: their reader took nothing, or was gone',
      kind: 'counter',
    },
    logLinesLost,
  )
  return metrics
}
