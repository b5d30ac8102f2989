/**
 * Libraries of which the gateway uses a small part, put into the published package as what is used of
 * them: installed whole they are 140 MB of an operator's disk.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Packages that are taken in; what they depend on comes with them. */
export const VENDORED = [
  'viem',
  'drizzle-orm',
  '@x402/core',
  '@x402/evm',
  '@x402/fetch',
  'jose',
  'lru-cache',
  'hash-wasm',
  'yaml',
  'puppeteer-core',
] as const

/** Shared with code that is not taken in: two copies would not know each other's objects. */
const SHARED = ['postgres', 'typebox']

const SPECIFIER = new RegExp(
  String.raw`(\bfrom\s*|\bimport\s*\(\s*)(['"])((?:${VENDORED.join('|')})(?:/[\w./-]+)?)\2`,
  'g',
)

const fileOf = (specifier: string): string => specifier.replaceAll(/[^\w-]/g, '_')

/**
 * Bundles what `scripts` (paths) import of VENDORED into `folder`/vendor and makes them import it by
 * `#vendor/…`. Throws with what does not build. `root` is the folder whose node_modules has them.
 */
export async function takeIn(
  root: string,
  folder: string,
  scripts: readonly string[],
): Promise<void> {
  const used = new Set<string>()
  for (const script of scripts) {
    const text = readFileSync(script, 'utf8')
    const renamed = text.replaceAll(SPECIFIER, (_, before: string, quote: string, name: string) => {
      used.add(name)
      return `${before}${quote}#vendor/${fileOf(name)}${quote}`
    })
    if (renamed !== text) writeFileSync(script, renamed)
  }
  // Given as texts at a fixed place: the bundler writes their paths into what it makes.
  const files = Object.fromEntries(
    [...used]
      .toSorted()
      .map((name) => [join(root, 'vendored', `${fileOf(name)}.js`), `export * from '${name}'\n`]),
  )
  mkdirSync(join(folder, 'vendor'))
  const built = await Bun.build({
    entrypoints: Object.keys(files),
    files,
    root,
    outdir: join(folder, 'vendor'),
    target: 'bun',
    format: 'esm',
    splitting: true,
    external: SHARED,
    naming: { entry: '[name].js', chunk: 'chunk-[hash].js' },
  })
  if (!built.success) throw new Error(built.logs.map(String).join('\n'))
  writeFileSync(join(folder, 'vendor', 'LICENSES.txt'), licensesOf(root))
}

/** The licence texts of what may be inside: of VENDORED and of everything they depend on. */
function licensesOf(root: string): string {
  const found = new Map<string, string>()
  const visit = (name: string): void => {
    const home = join(root, 'node_modules', name)
    const manifest = join(home, 'package.json')
    if (found.has(name) || SHARED.includes(name) || !existsSync(manifest)) return
    const { version, license, dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      version: string
      license?: string
      dependencies?: Record<string, string>
    }
    const file = readdirSync(home).find((one) => /^licen[cs]e/i.test(one))
    const text = file === undefined ? '' : readFileSync(join(home, file), 'utf8').trim()
    found.set(name, `${name} ${version} (${license ?? 'see below'})\n\n${text}`)
    for (const dependency of Object.keys(dependencies ?? {})) visit(dependency)
  }
  for (const name of VENDORED) visit(name)
  return `${[...found.values()].join(`\n\n${'-'.repeat(72)}\n\n`)}\n`
}
