/** Makes the cluster of `prepared-cluster.ts` in the empty folder that is its argument. */
import { connectDatabase } from '../../host/database/connect.ts'
import { openEmbedded } from '../../host/embedded-postgres/embedded.ts'
import { migratePlugin } from '../../kernel/storage/plugin-db.ts'
import { SHIPPED_PLUGINS } from '../../plugins/shipped.ts'
import { silentLog } from './log.ts'
import { migrateDatabase } from './migrate.ts'

const log = silentLog
const server = await openEmbedded({
  dataDir: process.argv[2]!,
  role: 'gateway',
  sandbox: false,
  log,
})
await migrateDatabase(server.url)
const db = connectDatabase({ url: server.url, kind: 'server', log })
for (const { id, migrations = [] } of SHIPPED_PLUGINS) {
  if (migrations.length > 0) await migratePlugin(db, id, migrations)
}
await db.close()
await server.close()
process.exit()
