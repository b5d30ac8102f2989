/** What the kernel is handed: how the gateway writes its log, counts, and sends its traces. */
import type { Metrics } from '#kernel/host'
import { PrometheusMetrics } from './metrics.ts'

export { createLog } from './log.ts'
export { createTracer } from './trace.ts'

export const createMetrics = (): Metrics => new PrometheusMetrics()
