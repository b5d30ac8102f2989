/** Loggers for tests. */
import type { Logger } from '../../kernel/plugins/contract.ts'

export const silentLog: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
}
