/**
 * Makes the package that is published, in a folder of its own: JavaScript beside `.d.ts`, so that
 * Bun runs it as it lies and `tsc` reads its types under `nodenext`. The clone runs the TypeScript
 * itself and is never published. `bun packaging/build.ts <folder>`.
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { bundleInto } from './bundle.ts'
import { manifestOf, type CloneManifest } from './manifest.ts'
import { peersOf } from './peers.ts'
import { takeIn } from './vendor.ts'

const root = resolve(import.meta.dirname, '..')
/** What the command line runs. */
const SOURCES = ['bin', 'kernel', 'cli', 'plugins', 'host', 'testkit']
/** What a plugin's own code imports: only of these and what they reach are types shipped. */
const ENTRIES = ['kernel/index.ts', 'plugins/shared/skillkit/index.ts', 'testkit/index.ts']
/** Only clones have the path that service files of 0.1.0 name. */
const OF_CLONES = 'kernel/main.ts'
/** Files that are neither compiled nor needed at run time; README leads to those of the plugins. */
const LEFT_OUT = /(\.m?ts|\.sol|(?<!\/plugins\/\w+\/)README\.md|bin\/link\.mjs)$/
const WHOLE = ['products', 'LICENSE', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']
const SPECS = [
  'architecture.md',
  'configuration.md',
  'contract.md',
  'errors.md',
  'figures.md',
  'operations.md',
  'paying.md',
  'plugin-guide.md',
  'proof.md',
  'scaling.md',
  'product.schema.json',
]

/** Builds it into `folder`, which is emptied first. Throws with what the compiler said. */
export async function buildPackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  compile(folder, SOURCES, { declaration: false, noCheck: true })
  compile(folder, ENTRIES, { declaration: true, emitDeclarationOnly: true })
  const own = ownFiles()
  for (const source of SOURCES) {
    for (const name of filesOf(join(root, source))) {
      const from = join(root, source, name)
      if (!LEFT_OUT.test(from) && !own.has(from)) cpSync(from, join(folder, source, name))
    }
  }
  for (const name of WHOLE) {
    const filter = (from: string): boolean => !own.has(from)
    cpSync(join(root, name), join(folder, name), { recursive: true, filter })
  }
  for (const name of SPECS) cpSync(join(root, 'specs', name), join(folder, 'specs', name))
  for (const name of filesOf(folder)) {
    if (/\.(js|d\.ts|mjs)$/.test(name)) renameImports(join(folder, name))
  }
  const scripts = filesOf(folder).filter((name) => name.endsWith('.js') && !name.includes('/page/'))
  await takeIn(
    root,
    folder,
    scripts.map((name) => join(folder, name)),
  )
  // No plugin sees it, and drizzle's own types fail without the drivers of every database it knows.
  writeFileSync(join(folder, 'kernel/storage/orm.d.ts'), 'export type Orm = unknown\n')
  const needed = bundleInto(root, folder)
  const clone = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as CloneManifest
  const peers = peersOf(root, clone.dependencies)
  const manifest = manifestOf(clone, { ...peers, ...needed })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/**
 * Files of whoever works in this clone: what git ignores, and product files that it does not know.
 * None where there is no git.
 */
function ownFiles(): ReadonlySet<string> {
  const listed = (...words: string[]): string[] => {
    const run = spawnSync('git', ['ls-files', '-z', '--others', ...words], {
      cwd: root,
      encoding: 'utf8',
    })
    return run.status === 0 ? run.stdout.split('\0').filter(Boolean) : []
  }
  const ignored = listed('--ignored', '--exclude-standard', '--', ...SOURCES)
  return new Set([...ignored, ...listed('--', 'products')].map((name) => join(root, name)))
}

function compile(folder: string, include: readonly string[], options: object): void {
  const config = join(folder, 'tsconfig.build.json')
  const compilerOptions = {
    ...options,
    noEmit: false,
    outDir: folder,
    rootDir: root,
    rewriteRelativeImportExtensions: true,
    typeRoots: [join(root, 'node_modules')],
    paths: {},
  }
  const written = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions,
    include: include.map((path) => join(root, path)),
    exclude: [join(root, 'node_modules'), join(root, OF_CLONES)],
  }
  writeFileSync(config, JSON.stringify(written))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const run = spawnSync(process.execPath, [tsc, '-p', config], { encoding: 'utf8' })
  rmSync(config)
  if (run.status !== 0) throw new Error(`tsc failed:\n${run.stdout}${run.stderr}`)
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

/**
 * The compiler renames the imports of scripts only: not those of declarations, and not the names of
 * modules that are started as processes or bundled for a browser.
 */
function renameImports(file: string): void {
  const text = readFileSync(file, 'utf8')
  const renamed = text
    .replaceAll(/(from |import[( ])(['"])(\.[^'"\n]+)\.ts\2/g, '$1$2$3.js$2')
    .replaceAll(/(new URL\(|join\([\w.()]+, (?:'\.\.', )?)'([\w./-]+)\.ts'/g, "$1'$2.js'")
  const left = /^(?!\s*(\/?\*|\/\/)).*['"]\.{1,2}\/[\w./-]+\.ts['"].*$/m.exec(renamed)
  if (left) throw new Error(`${file} still names a TypeScript file: ${left[0].trim()}`)
  if (renamed !== text) writeFileSync(file, renamed)
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(root, 'dist'))
  if (existsSync(join(folder, '.git')) || dirname(folder) === folder)
    throw new Error(`${folder} is not a folder for a build`)
  // The bundler names sources as seen from here: the same files wherever the command is given.
  process.chdir(root)
  await buildPackage(folder)
  process.stdout.write(`built ${folder}\n`)
}
