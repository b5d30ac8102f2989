/** What the kernel is handed: how the gateway writes its log and sends its traces. */
export { createLog } from './log.ts'
export { createTracer } from './trace.ts'
