/** What the kernel is handed: the count of calls against limits, shared by all instances. */
export { createRateLimiter } from './limiter.ts'
