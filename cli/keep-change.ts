/** What an operator changed from the shell, for the plugins that keep what operators change. */
import { spawnSync } from 'node:child_process'
import { OWNER } from '../kernel/auth/operators.ts'
import type { Foundation } from '../kernel/compose/foundation.ts'
import { codeOf } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { pluginsOf } from '../kernel/plugins/loaded.ts'
import { pluginDb } from '../kernel/storage/plugin-db.ts'
import type { CommandContext } from './command.ts'
import { warn } from './output.ts'

/** Tells them; one whose tables are not there yet has never been mounted on this database. */
export async function keepChange(
  { changing = '', plugins, positionals, options }: CommandContext,
  { db }: Pick<Foundation, 'db'>,
): Promise<void> {
  const change = {
    operator: `shell (${userName()})`,
    // Access to the database includes all rights of the admin token.
    role: OWNER.role,
    at: new Date(),
    requestId: newId(),
    method: 'CLI',
    path: `coinop ${changing}`,
    route: changing,
    clientAddress: '',
    status: 0,
    input: { arguments: positionals, ...options },
    before: null,
    after: null,
  }
  for (const { id, keepChange: keep } of pluginsOf(plugins)) {
    try {
      await keep?.(pluginDb(db, id), change)
    } catch (error) {
      if (!['42P01', '3F000'].includes(codeOf(error)))
        warn(`This change was not kept: ${String(error)}`)
    }
  }
}

/** As the system knows the user: `userInfo().username` of Bun is whatever the variable USER says. */
function userName(): string {
  const { stdout, status } = spawnSync('id', ['-un'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : `user ${process.geteuid?.() ?? 'unknown'}`
}
