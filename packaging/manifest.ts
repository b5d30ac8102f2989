/** The package.json of the published package, made from that of the clone. */

import { BUNDLED } from './bundle.ts'
import { VENDORED } from './vendor.ts'

/** What is read of the clone's package.json. */
export interface CloneManifest {
  name: string
  version: string
  description: string
  license: string
  keywords?: string[]
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  engines: Record<string, string>
}

const entry = (path: string) => ({ types: `./${path}.d.ts`, default: `./${path}.js` })

/**
 * Its members: the same name and versions, and entry points that lead to the compiled files. `needed`
 * are the dependencies of what is bundled, and peers of dependencies.
 */
export function manifestOf(clone: CloneManifest, needed: Record<string, string>): object {
  const { name, version, description, license, keywords } = clone
  const taken: readonly string[] = VENDORED
  return {
    name,
    version,
    description,
    license,
    ...(keywords && { keywords }),
    type: 'module',
    bin: { coinop: './bin/coinop.mjs' },
    imports: {
      '#kernel': entry('kernel/index'),
      '#kernel/host': './kernel/host.js',
      '#patterns': './kernel/schema/patterns.js',
      '#skillkit': entry('plugins/shared/skillkit/index'),
      '#vendor/*': './vendor/*.js',
    },
    exports: {
      '.': entry('kernel/index'),
      './skillkit': entry('plugins/shared/skillkit/index'),
      './testkit': entry('testkit/index'),
      './product.schema.json': './specs/product.schema.json',
      './package.json': './package.json',
    },
    dependencies: Object.fromEntries(
      Object.entries({ ...needed, ...clone.dependencies })
        .filter(([name]) => !taken.includes(name))
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
    bundleDependencies: BUNDLED,
    optionalDependencies: clone.optionalDependencies,
    engines: clone.engines,
    publishConfig: { access: 'public' },
  }
}
