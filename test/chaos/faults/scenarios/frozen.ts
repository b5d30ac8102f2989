/** A PostgreSQL whose process stands still for some seconds. */
import { customersAt } from '../killed-gateways.ts'
import type { Server } from '../postgres.ts'
import type { Size } from '../sizes.ts'
import { onServer, type Scenario } from './ground.ts'
import { debian } from './needs.ts'

async function freeze(server: Server, { frozenMs }: Size): Promise<void> {
  server.signal('SIGSTOP')
  await Bun.sleep(frozenMs)
  server.signal('SIGCONT')
}

export const FROZEN: Record<string, Scenario> = {
  frozen: {
    missing: debian,
    run: (ground) =>
      onServer(ground, {
        disturb: (_shop, server) => freeze(server, ground.size),
      }),
  },
  'customers-frozen': {
    missing: debian,
    run: (ground) =>
      customersAt(
        (fault) =>
          onServer(ground, { ...fault, disturb: (_shop, server) => freeze(server, ground.size) }),
        ground,
      ),
  },
}
