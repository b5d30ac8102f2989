/** The import rules of the house, read from the import texts of every source file. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => join(folder, name))
}

/** Every module text a file imports, re-exports or loads, types included. */
function importsOf(file: string): string[] {
  const code = readFileSync(join(root, file), 'utf8')
  const found = code.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g)
  return [...found].map((match) => match[1]!)
}

/** The project path a relative import leads to; null for packages and `#kernel`. */
function target(file: string, text: string): string | null {
  return text.startsWith('.') ? relative(root, resolve(root, dirname(file), text)) : null
}

function violations(files: string[], isAllowed: (file: string, path: string) => boolean): string[] {
  return files.flatMap((file) =>
    importsOf(file)
      .map((text) => target(file, text))
      .filter((path): path is string => path !== null && !isAllowed(file, path))
      .map((path) => `${file} imports ${path}`),
  )
}

describe('import rules', () => {
  const kernel = sources('kernel')
  const plugins = sources('plugins')

  it('reads real imports', () => {
    expect(kernel.length).toBeGreaterThan(20)
    expect(kernel.flatMap(importsOf).length).toBeGreaterThan(kernel.length)
  })

  it('the kernel imports no plugin, main.ts aside', () => {
    const files = kernel.filter((file) => file !== 'kernel/main.ts')
    expect(violations(files, (_, path) => !path.startsWith('plugins/'))).toEqual([])
  })

  it('a plugin imports #kernel, #skillkit, its own folder and npm', () => {
    // plugins/shared/<thing>/ imports like a plugin; plugins/shipped.ts is the list of all.
    const own = (file: string) =>
      file
        .split('/')
        .slice(0, file.startsWith('plugins/shared/') ? 3 : 2)
        .join('/') + '/'
    const files = plugins.filter((file) => file !== 'plugins/shipped.ts')
    expect(violations(files, (file, path) => path.startsWith(own(file)))).toEqual([])
    const deep = plugins.filter((file) => importsOf(file).some((text) => /^#kernel./.test(text)))
    expect(deep).toEqual([])
  })

  it('nothing imports test/', () => {
    expect(
      violations(
        [...kernel, ...plugins, ...sources('testkit')],
        (_, path) => !path.startsWith('test/'),
      ),
    ).toEqual([])
  })

  it('kernel/index.ts is the only barrel', () => {
    const barrels = [...kernel, ...plugins].filter(
      (file) =>
        file !== 'kernel/index.ts' &&
        /^export \* from/m.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(barrels).toEqual([])
  })
})
