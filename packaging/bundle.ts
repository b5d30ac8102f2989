/**
 * Packages that are published inside the gateway's own, as npm's `bundleDependencies`. Their manifests
 * ask for a newer Node.js than 20, which concerns nobody here: they run on Bun. Installed by name, npm
 * would warn of each. Bundled without that line they install silently, and in the same version.
 */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { UNREAD_BY_GATEWAY } from '../plugins/unread-files.mjs'

export const BUNDLED = ['@sparticuz/chromium', 'pdfjs-dist'] as const

/** Members of a manifest that say who may install a package and what runs then. */
const DROPPED = ['engines', 'scripts', 'devDependencies', 'dependencies', 'optionalDependencies']
/** Written for compilers, which nobody runs on the published package. */
const FOR_COMPILERS = /\.d\.[cm]?ts$|\.map$/

interface Manifest {
  dependencies?: Record<string, string>
  [member: string]: unknown
}

/**
 * Copies BUNDLED from `root`/node_modules into `folder`/node_modules. Returns what they depend on, name
 * to range, for the dependencies of the package itself: what is bundled finds them from there.
 */
export function bundleInto(root: string, folder: string): Record<string, string> {
  const needed: Record<string, string> = {}
  for (const name of BUNDLED) {
    const from = join(root, 'node_modules', name)
    const to = join(folder, 'node_modules', name)
    const unread = UNREAD_BY_GATEWAY[name]
    const filter = (path: string): boolean => {
      const inside = relative(from, path)
      return !FOR_COMPILERS.test(inside) && unread?.test(inside) !== true
    }
    cpSync(from, to, { recursive: true, filter })
    const manifest = JSON.parse(readFileSync(join(to, 'package.json'), 'utf8')) as Manifest
    Object.assign(needed, manifest.dependencies)
    const kept = Object.entries(manifest).filter(([member]) => !DROPPED.includes(member))
    writeFileSync(
      join(to, 'package.json'),
      `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`,
    )
    if (!existsSync(join(to, 'LICENSE'))) throw new Error(`${name} has no licence to pass on`)
  }
  return needed
}
