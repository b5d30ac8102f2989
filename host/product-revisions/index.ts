/** What the kernel is handed: which revision of each product is wanted, and every change of it. */
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { OpenRevisions, ProductRevisions, RevisionDeps } from '#kernel/host'
import { ProductChanges } from './changes.ts'
import { Reconciler } from './reconciler.ts'
import { Retries } from './retries.ts'
import { createProductStore, PRODUCTS_CHANNEL } from './store.ts'

export const productRevisions: ProductRevisions = { storedIn: createProductStore, open }

function open(deps: RevisionDeps): OpenRevisions {
  const { db, reader, productsDir, env, variables, live, awaitsRail, log, pollMs } = deps
  const store = createProductStore(db)
  const retries = new Retries()
  const changes = new ProductChanges({ ...deps, store, retries })
  const reconciler = new Reconciler({
    store,
    live,
    changes,
    retries,
    files:
      productsDir === null ? null : reader.openFolder({ dir: productsDir, env, variables, log }),
    origin: `${hostname()}:${resolve(productsDir ?? '')}`,
    awaitsRail,
    log,
    ...(pollMs !== undefined && { pollMs }),
  })
  let unlisten: (() => Promise<void>) | null = null
  return {
    store,
    changes,
    async start() {
      unlisten = await db.listen(PRODUCTS_CHANNEL, (productId) => {
        void reconciler.rowChanged(productId)
      })
      await reconciler.start()
    },
    async stop() {
      await reconciler.stop()
      await unlisten?.()
      await changes.idle()
    },
    problems: () => reconciler.problems(),
    waitingAt(pathname) {
      const waiting = retries.over(pathname)
      return waiting && live.get(waiting.productId) === null ? waiting : null
    },
  }
}
