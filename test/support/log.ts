/** Loggers for tests. */
import type { Logger } from '../../kernel/log/logger.ts'

export const silentLog: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
}
