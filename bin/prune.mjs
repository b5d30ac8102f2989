// Makes an install smaller: takes away what packages bring for other platforms, for browsers, for
// debuggers and for compilers, which nothing here reads.
//   prune.mjs                        the clone that this file is in, after each install
//   prune.mjs FOLDER                 an operator's node_modules, which plugins of others may be in
//   prune.mjs FOLDER --production    the same, where no compiler will run and no plugin is yet
// What is linked into the folder (a package under development, a workspace) lies elsewhere and stays.
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PLATFORM_FOLDERS, UNREAD, UNREAD_BY_GATEWAY } from '../plugins/unread-files.mjs'

const [given, flag] = process.argv.slice(2)
const modules = given ?? join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules')
/** The gateway itself, whose documents and types are for people who write plugins. */
const GATEWAY = '@coinop/gateway'
const HERE = `${process.platform}-${process.arch}`

/** In a production install no compiler runs: no declarations, and no compiler that is a peer of libraries. */
const COMPILERS = ['typescript', '@typescript', 'bun-types', '@types']
const DECLARATION = /\.d\.[cm]?ts$/
const SOURCE = /(?<!\.d)\.[cm]?tsx?$/
const PROSE = /\.(md|markdown)$/i
const LICENCE = /licen[cs]e|notice|copying/i
/** Members of a package.json that say which files are read. */
const ENTRIES = ['main', 'module', 'browser', 'bin', 'exports', 'imports', 'types', 'typings']

function remove(...path) {
  rmSync(join(...path), { recursive: true, force: true })
}

/** Whether a path is in this folder itself, and not only linked here. */
function isOwn(path) {
  return existsSync(path) && realpathSync(path).startsWith(realpathSync(modules) + sep)
}

/** Some packages hold the libraries of every platform: <os>/<cpu> below a folder of theirs. */
function prunePlatforms(inside) {
  const above = join(modules, inside)
  if (!isOwn(join(above, process.platform, process.arch))) return
  for (const os of readdirSync(above)) {
    for (const cpu of readdirSync(join(above, os))) {
      if (os !== process.platform || cpu !== process.arch) remove(above, os, cpu)
    }
  }
}

/** The paths of a package that nothing reads. */
function unreadOf(name, isThorough) {
  const known = isThorough ? UNREAD_BY_GATEWAY : UNREAD
  return known[name] ?? known[`${name.split('/')[0]}/*`]
}

/** Whether a package is run from its TypeScript files, and not from what it built of them. */
function runsSources(folder) {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return /(?<!\.d)\.[cm]?tsx?"/.test(JSON.stringify(ENTRIES.map((entry) => manifest[entry])))
  } catch {
    // A folder without a manifest is no package that this knows.
    return true
  }
}

/**
 * One pass over the files below `folder`, which is `path` of the package that `about` describes. Bun's recursive readdir
 * would follow links out of the folder.
 */
function pruneFiles(folder, path, about) {
  const entries = readdirSync(folder, { withFileTypes: true })
  // Native parts as `prebuildify` lays them out: those of this machine stay where there are some.
  const isPrebuilt = path.endsWith('prebuilds/') && entries.some((one) => one.name === HERE)
  for (const entry of entries) {
    const inner = path + entry.name
    const isUnread = about.unread?.test(entry.isDirectory() ? `${inner}/` : inner) === true
    if (entry.isDirectory()) {
      if (isUnread || (isPrebuilt && entry.name !== HERE)) remove(folder, entry.name)
      else if (entry.name === 'node_modules') prunePackages(join(folder, entry.name), about)
      else {
        pruneFiles(join(folder, entry.name), `${inner}/`, about)
        removeEmpty(join(folder, entry.name))
      }
    } else if (entry.isFile()) {
      const isMap = /\.(c|m)?[jt]s\.map$/.test(entry.name)
      if (isUnread || isMap || (about.isThorough && isUnreadHere(entry.name, about)))
        remove(folder, entry.name)
    }
  }
}

/** Whether no process reads a file of this name: prose, sources, and declarations in production. */
function isUnreadHere(name, { isProduction, runsSources }) {
  if (PROSE.test(name)) return !LICENCE.test(name)
  if (DECLARATION.test(name)) return isProduction
  return SOURCE.test(name) && !runsSources
}

function removeEmpty(folder) {
  if (readdirSync(folder).length === 0) remove(folder)
}

function prunePackages(folder, how) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const inside = entry.name.startsWith('@')
      ? readdirSync(join(folder, entry.name), { withFileTypes: true })
          .filter((one) => one.isDirectory())
          .map((one) => `${entry.name}/${one.name}`)
      : [entry.name]
    for (const name of inside) {
      if (name === GATEWAY) continue
      const home = join(folder, name)
      const { isProduction, isThorough } = how
      const unread = unreadOf(name, isThorough)
      pruneFiles(home, '', { isProduction, isThorough, unread, runsSources: runsSources(home) })
    }
  }
}

try {
  // A node_modules that is itself a link belongs to another folder.
  if (lstatSync(modules).isDirectory()) {
    // Of a clone, `npm ci --omit=dev` or `bun install --production`: what runs the tests is not there.
    const isProduction =
      given === undefined ? !existsSync(join(modules, 'vitest')) : flag === '--production'
    for (const inside of PLATFORM_FOLDERS) prunePlatforms(inside)
    if (isProduction) for (const name of COMPILERS) remove(modules, name)
    prunePackages(modules, { isProduction, isThorough: isProduction || given === undefined })
  }
} catch (error) {
  // A larger install works as well.
  process.stderr.write(`coinop: not everything unused could be taken away (${error.message})\n`)
}
