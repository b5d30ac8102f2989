/** Runs a command on the database of a running gateway, or on one started for the command. */
import { openFoundation, type Foundation } from '../kernel/compose/foundation.ts'
import { EXIT } from '../kernel/plugins/command.ts'
import { keepChange } from './keep-change.ts'
import type { CommandContext } from './command.ts'

/**
 * What `work` returned; the foundation is closed whatever happens. A command that only reads
 * ('read') migrates nothing: a StorageError names the migrations that are missing.
 */
export async function withFoundation<T>(
  context: CommandContext,
  work: (foundation: Foundation) => Promise<T>,
  use: 'read' | 'write' = 'write',
): Promise<T> {
  const { config, machinery } = context
  const migrate = config.migrate && use === 'write'
  const log = machinery.createLog({
    level: config.logLevel === 'debug' ? 'debug' : 'warn',
    format: 'pretty',
  })
  const foundation = await openFoundation(
    { ...machinery, config: { ...config, migrate }, log },
    'tool',
  )
  try {
    const done = await work(foundation)
    const isChange = context.changing !== undefined && use === 'write'
    if (isChange && !isRefused(done)) await keepChange(context, foundation)
    return done
  } finally {
    await foundation.close()
  }
}

/** Whether the work says that it changed nothing: by null, by a text, which is the reason, or by an exit code. */
function isRefused(done: unknown): boolean {
  if (typeof done === 'number') return done !== EXIT.ok
  return done === null || done === undefined || typeof done === 'string'
}
