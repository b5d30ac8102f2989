/** The PostgreSQL that comes with the gateway, as the kernel asks for it. */
import type { EmbeddedPostgres } from '#kernel/host'
import { backUp } from './backup.ts'
import { openEmbedded } from './embedded.ts'

export const embeddedPostgres: EmbeddedPostgres = {
  open: (options) => openEmbedded(options),
  backUp,
}
