/** Child processes of gateways are killed. */
import { join } from 'node:path'
import { killChildren } from '../children.ts'
import { shopThrough } from '../shop.ts'
import { embeddedUrl, onAny, type Scenario } from './ground.ts'

export const CHILDREN: Record<string, Scenario> = {
  'children-of-one': {
    missing: () => null,
    isOverAny: true,
    run: ({ folder, seed, size }) =>
      killChildren(
        (fault) =>
          shopThrough({
            ...fault,
            seed,
            size,
            gateways: 1,
            dataDir: join(folder, 'data'),
            auditUrl: ([gateway]) => embeddedUrl(gateway!.dataDir),
          }),
        seed,
        size,
      ),
  },
  'children-of-three': {
    missing: () => null,
    isOverAny: true,
    run: (ground) =>
      killChildren((fault) => onAny(ground, { ...fault, gateways: 3 }), ground.seed, ground.size),
  },
}
