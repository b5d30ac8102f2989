/** `coinop backup`: the embedded database and its secrets, copied while the gateway runs. */
import type { Command } from '../command.ts'
import { EXIT } from '../../kernel/plugins/command.ts'
import { exitCodeOf, untilToldToEnd } from '../ending.ts'
import { printRecord, warn } from '../output.ts'

export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    usage: 'backup <folder>',
    summary: 'copy the embedded database and the secrets of DATA_DIR, also of a running gateway',
    async run({ config, machinery: { embedded, createLog }, positionals }) {
      const [folder, ...rest] = positionals
      if (folder === undefined || folder === '' || rest.length > 0) {
        warn('Name the folder to make.\nusage: coinop backup <folder>')
        return EXIT.usage
      }
      if (config.databaseUrl !== null) {
        warn(
          'DATABASE_URL is set: back that server up by its own means (pg_dump, or what its provider offers), and keep COINOP_MASTER_KEY with it.',
        )
        return EXIT.config
      }
      const log = createLog({ level: 'warn', format: 'pretty' })
      const broken = new AbortController()
      void untilToldToEnd(() => process.exit(EXIT.failed)).then((signal) => broken.abort(signal))
      const { signal } = broken
      try {
        printRecord({ ...(await embedded.backUp(config.dataDir, folder, log, signal)) })
      } catch (error) {
        if (!signal.aborted) throw error
        warn(`The backup was broken off by ${signal.reason}: nothing of it is left.`)
        return exitCodeOf(String(signal.reason))
      }
      if (config.masterKey !== null) warn('COINOP_MASTER_KEY is set and not in the copy: keep it.')
      return EXIT.ok
    },
  },
]
