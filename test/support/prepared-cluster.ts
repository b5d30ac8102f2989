/**
 * A database cluster with all tables of the kernel and of the shipped plugins and nothing in them,
 * made once for a run: a gateway of a test that begins with a copy of it is ready in half the time
 * of one that makes its own. Tests of the first start give a DATA_DIR and make their own.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs'
import { join } from 'node:path'

/** Names the run's folder for it to the test files, which run in workers of their own. */
const FOLDER = 'COINOP_TEST_CLUSTER'

/** Where the run's gateways find the cluster, and the first of them makes it. */
export function offerPreparedCluster(folder: string): void {
  process.env[FOLDER] = folder
}

/**
 * Puts a copy into `dataDir`. Outside of a run, and while another file's gateway is making it, there
 * is none, and the gateway makes its own.
 */
export function copyPreparedCluster(dataDir: string): void {
  const folder = process.env[FOLDER]
  if (folder === undefined) return
  const prepared = clusterOf(folder)
  if (!existsSync(prepared) && !makeCluster(folder, prepared)) return
  // With its owner: the databases of root run as another user.
  run('cp', ['-a', prepared, clusterOf(dataDir)])
}

/** Returns false where another worker began with it, or the cluster had to be made elsewhere. */
function makeCluster(folder: string, target: string): boolean {
  try {
    mkdirSync(join(folder, 'making'))
  } catch {
    return false
  }
  const dataDir = mkdtempSync(join(folder, 'made-'))
  run(process.execPath, [join(import.meta.dirname, 'make-cluster.ts'), dataDir])
  const made = clusterOf(dataDir)
  if (lstatSync(made).isSymbolicLink()) return false
  renameSync(made, target)
  return true
}

const clusterOf = (dataDir: string): string => join(dataDir, 'postgres')

function run(program: string, args: string[]): void {
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`)
}
