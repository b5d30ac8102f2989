// Makes an install smaller: takes away what packages bring for other platforms and for debuggers, which
// nothing here reads (about 350 MB). Only in the project's own node_modules, and only these: what is
// linked there (a package under development, a workspace) lies elsewhere and stays as it is.
import { existsSync, lstatSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'node_modules')

/** onnxruntime-node's package holds the libraries of every platform: bin/napi-v6/<os>/<cpu>. */
function pruneRuntime() {
  const above = join(modules, 'onnxruntime-node', 'bin', 'napi-v6')
  if (!existsSync(join(above, process.platform, process.arch))) return
  if (!realpathSync(above).startsWith(realpathSync(modules) + sep)) return
  for (const os of readdirSync(above)) {
    for (const cpu of readdirSync(join(above, os))) {
      if (os === process.platform && cpu === process.arch) continue
      rmSync(join(above, os, cpu), { recursive: true, force: true })
    }
  }
}

/** Source maps of packages. Bun's recursive readdir would follow links out of the folder. */
function pruneMaps(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) pruneMaps(path)
    else if (entry.isFile() && /\.(c|m)?[jt]s\.map$/.test(entry.name)) rmSync(path, { force: true })
  }
}

try {
  // A node_modules that is itself a link belongs to another folder.
  if (lstatSync(modules).isDirectory()) {
    pruneRuntime()
    pruneMaps(modules)
  }
} catch (error) {
  // A larger install works as well.
  process.stderr.write(`coinop: not everything unused could be taken away (${error.message})\n`)
}
