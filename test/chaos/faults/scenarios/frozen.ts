/** A PostgreSQL whose process stands still for some seconds. */
import type { LoadUnder } from '../loads/load.ts'
import type { Server } from '../postgres.ts'
import type { Size } from '../sizes.ts'
import { onServer, type Scenario } from './ground.ts'
import { all, debian } from './needs.ts'

async function freeze(server: Server, { frozenMs }: Size): Promise<void> {
  server.signal('SIGSTOP')
  await Bun.sleep(frozenMs)
  server.signal('SIGCONT')
}

/** The callers of a load, at two gateways, while their database stands still. */
export const frozenUnder = (load: LoadUnder, needs: Scenario['missing']): Scenario => ({
  missing: all(debian, needs),
  run: (ground) =>
    load(ground, (made) =>
      onServer(ground, { ...made, disturb: (_shop, server) => freeze(server, ground.size) }),
    ),
})

export const FROZEN: Record<string, Scenario> = {
  frozen: {
    missing: debian,
    run: (ground) =>
      onServer(ground, {
        disturb: (_shop, server) => freeze(server, ground.size),
      }),
  },
}
