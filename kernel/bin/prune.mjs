// Makes an install smaller: takes away what packages bring for other platforms and for debuggers, which
// nothing here reads (about 350 MB). Only in the project's own node_modules, and only these.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'node_modules')

/** onnxruntime-node's package holds the libraries of every platform: bin/napi-v6/<os>/<cpu>. */
function pruneRuntime() {
  const bin = join(modules, 'onnxruntime-node', 'bin')
  if (!existsSync(join(bin, 'napi-v6', process.platform, process.arch))) return
  const above = join(bin, 'napi-v6')
  for (const os of readdirSync(above)) {
    for (const cpu of readdirSync(join(above, os))) {
      if (os === process.platform && cpu === process.arch) continue
      rmSync(join(above, os, cpu), { recursive: true, force: true })
    }
  }
}

/** Source maps of packages. */
function pruneMaps() {
  for (const name of readdirSync(modules, { recursive: true })) {
    if (/\.(c|m)?[jt]s\.map$/.test(name)) rmSync(join(modules, name), { force: true })
  }
}

try {
  pruneRuntime()
  pruneMaps()
} catch (error) {
  // A larger install works as well.
  process.stderr.write(`coinop: not everything unused could be taken away (${error.message})\n`)
}
