/**
 * A database cluster with all tables of the kernel and of the shipped plugins and nothing in them,
 * made once for a run: a gateway of a test that begins with a copy of it is ready in half the time
 * of one that makes its own. Tests of the first start give a DATA_DIR and make their own.
 */
import { lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { madeOnce, runProgram } from './run-folder.ts'

/**
 * Puts a copy into `dataDir`, which is made where it is missing, and returns that folder. Outside of a
 * run, and while another file's gateway is making the cluster, there is no copy, and the gateway makes
 * its own.
 */
export function copyPreparedCluster(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true })
  const prepared = madeOnce('postgres', makeCluster)
  // With its owner: the databases of root run as another user.
  if (prepared !== null) runProgram('cp', ['-a', prepared, clusterOf(dataDir)])
  return dataDir
}

/** Returns null where the cluster had to be made elsewhere. */
function makeCluster(folder: string): string | null {
  runProgram(process.execPath, [join(import.meta.dirname, 'make-cluster.ts'), folder])
  const made = clusterOf(folder)
  return lstatSync(made).isSymbolicLink() ? null : made
}

const clusterOf = (dataDir: string): string => join(dataDir, 'postgres')
