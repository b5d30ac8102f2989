/** Runs a command on the database of a running gateway, or on one started for the command. */
import { openFoundation, type Foundation } from '../compose/foundation.ts'
import { createLog } from '../ops/log.ts'
import type { CommandContext } from './command.ts'

/** What `work` returned; the foundation is closed whatever happens. */
export async function withFoundation<T>(
  context: CommandContext,
  work: (foundation: Foundation) => Promise<T>,
): Promise<T> {
  const log = createLog({
    level: context.config.logLevel === 'debug' ? 'debug' : 'warn',
    format: 'pretty',
  })
  const foundation = await openFoundation(context.config, log, 'tool')
  try {
    return await work(foundation)
  } finally {
    await foundation.close()
  }
}
