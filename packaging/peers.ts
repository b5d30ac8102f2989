/** What dependencies leave to whoever installs them: npm and pnpm bring such peers by themselves, yarn does not. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  version: string
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

/** The peers that `dependencies` need and do not hold, name to the version installed below `root`. */
export function peersOf(
  root: string,
  dependencies: Record<string, string>,
): Record<string, string> {
  const installed = (name: string): Manifest =>
    JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as Manifest
  const peers = Object.keys(dependencies).flatMap((name) => {
    const { peerDependencies = {}, peerDependenciesMeta = {} } = installed(name)
    return Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional)
  })
  const missing = peers.filter((peer) => !Object.hasOwn(dependencies, peer))
  return Object.fromEntries(missing.map((peer) => [peer, installed(peer).version]))
}
