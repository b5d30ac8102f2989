/** Environment variables of the console. */
import { duration, integer, type Variable } from '#kernel'

/** How long answered requests can be found. */
export const REQUEST_LOG_RETENTION = duration('REQUEST_LOG_RETENTION', '168h')

/**
 * Requests a second of one status that one instance writes down; ten times as many after a pause. Of
 * a flood that is above it only the counts are kept.
 */
export const REQUEST_LOG_RATE = integer('REQUEST_LOG_RATE', { min: 1, max: 10_000, fallback: 50 })

export const VARIABLES: readonly Variable[] = [REQUEST_LOG_RETENTION, REQUEST_LOG_RATE]
