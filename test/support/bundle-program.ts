/**
 * Bundles a program of this clone, such as the command line, into one file, which finds the files
 * beside its modules where they lie. `bun test/support/bundle-program.ts PROGRAM FILE`.
 */
import { basename, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'

const [source, target] = process.argv.slice(2) as [string, string]
/** In one file with others it finds `reflect-metadata`, which it needs, not yet evaluated. */
const OUTSIDE = /^@simplewebauthn\/server$/

/** The text of a module as it says when it runs from its own place. */
function placed(text: string, path: string): string {
  const folder = JSON.stringify(dirname(path))
  const resolve = `(name => Bun.pathToFileURL(Bun.resolveSync(name, ${folder})).href)`
  return text
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
    .replaceAll('import.meta.dirname', folder)
    .replaceAll('import.meta.resolve', resolve)
    .replaceAll('import.meta.main', 'false')
}

const built = await Bun.build({
  entrypoints: [source],
  outdir: dirname(target),
  naming: basename(target),
  target: 'bun',
  // Only of such modules does Bun keep the compiled form beside the text.
  format: 'cjs',
  bytecode: true,
  plugins: [
    {
      name: 'places of modules',
      setup(build) {
        build.onResolve({ filter: OUTSIDE }, ({ path, importer }) => ({
          path: Bun.resolveSync(path, dirname(importer)),
          external: true,
        }))
        build.onLoad({ filter: /\.m?[jt]s$/ }, async ({ path }) => {
          const text = await Bun.file(path).text()
          if (!text.includes('import.meta.')) return undefined
          const loader = path.endsWith('ts') ? 'ts' : 'js'
          return { contents: placed(text, path), loader }
        })
      },
    },
  ],
})
if (!built.success) throw new Error(built.logs.map(String).join('\n'))
