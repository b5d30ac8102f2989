/** A disk without room below the embedded database. */
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shopThrough, type FaultReport } from '../shop.ts'
import { embeddedUrl, type Ground, type Scenario } from './ground.ts'
import { root } from './needs.ts'

/** The embedded server on a file system without room; then there is some again. */
async function fullDisk({ folder, seed, size }: Ground): Promise<FaultReport> {
  const small = join(folder, 'small')
  mkdirSync(small)
  const mount = ['mount', '-t', 'tmpfs', '-o', 'size=320m,mode=755', 'tmpfs', small]
  const { exitCode, stderr } = Bun.spawnSync(mount)
  // Without it the ballast would fill the disk of whoever runs this.
  if (exitCode !== 0) throw new Error(`no small file system: ${stderr.toString()}`)
  const ballast = join(small, 'ballast')
  try {
    return await shopThrough({
      seed,
      size,
      gateways: 1,
      env: {},
      dataDir: join(small, 'data'),
      async disturb() {
        const { bavail, bsize } = statfsSync(small)
        try {
          writeFileSync(ballast, Buffer.alloc(bavail * bsize))
        } catch {
          // The server took some of the room meanwhile: none is left all the same.
        }
        await Bun.sleep(size.frozenMs)
        rmSync(ballast)
      },
      auditUrl: ([gateway]) => embeddedUrl(gateway!.dataDir),
    })
  } finally {
    Bun.spawnSync(['umount', '-l', small])
  }
}

export const DISKS: Record<string, Scenario> = {
  'full-disk': { missing: root, run: fullDisk },
}
