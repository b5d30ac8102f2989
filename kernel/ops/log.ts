/** Structured logs: pretty on a terminal, one JSON object a line elsewhere; secrets are redacted. */
import pino from 'pino'
import pretty from 'pino-pretty'
import type { LogLevel } from '../config.ts'
import type { Logger } from '../plugins/contract.ts'

export interface GatewayLog extends Logger {
  child(fields: object): GatewayLog
  /** Writes what is buffered, before the process exits. */
  flush(): void
}

/** Header and field names that never reach a log line. */
const REDACTED = [
  'authorization',
  'apiKey',
  'key',
  'secret',
  'token',
  'password',
  'privateKey',
  'signature',
]

/** A logger to stdout; `level: 'silent'` writes nothing. */
export function createLog(options: { level: LogLevel; format: 'pretty' | 'json' }): GatewayLog {
  const settings: pino.LoggerOptions = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    formatters: { level: (label) => ({ level: label }) },
  }
  if (options.format === 'pretty') {
    const stream = pretty({
      colorize: process.stdout.isTTY,
      ignore: 'pid,hostname',
      translateTime: 'HH:MM:ss.l',
      singleLine: true,
      sync: true,
    })
    return wrap(pino(settings, stream), () => {})
  }
  const destination = pino.destination({ dest: 1, sync: false, minLength: 4096 })
  // A line must not wait for the buffer to fill when the gateway is quiet.
  const timer = setInterval(() => destination.flush(), 500)
  timer.unref()
  return wrap(pino(settings, destination), () => destination.flushSync())
}

function wrap(logger: pino.Logger, flush: () => void): GatewayLog {
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    child: (fields) => wrap(logger.child(fields), flush),
    flush,
  }
}
