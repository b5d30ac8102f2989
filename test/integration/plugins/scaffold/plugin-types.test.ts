/** The settings of the compiler that `coinop plugin new` writes, read by the compiler itself. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sharedFiles } from '../../../../plugins/scaffold/plugin-template.ts'

const TSC = resolve(import.meta.dirname, '../../../../node_modules/typescript/bin/tsc')

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'coinop-types-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const MANIFESTS = {
  'that `npm install` writes': { dependencies: {} },
  'that `npm init` writes': { type: 'commonjs' },
  'that `coinop init` writes': { type: 'module' },
}

it.each(Object.entries(MANIFESTS))(
  'a plugin of two files may wait at its top level beside the package.json %s',
  (_which, manifest) => {
    const files = {
      ...sharedFiles({ plugins: 'plugins', products: 'products' }),
      'package.json': JSON.stringify(manifest),
      'plugins/loud/index.ts': `import { words } from './words.ts'\nconst said = await words\nexport default said\n`,
      'plugins/loud/words.ts': `export const words: Promise<string[]> = Promise.resolve(['loud'])\n`,
    }
    mkdirSync(join(folder, 'plugins/loud'), { recursive: true })
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
    // Without the types of Bun, which no registry has put into this folder.
    const words = [TSC, '--project', folder, '--types', '', '--checkers', '1']
    const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, ...words])
    expect([exitCode, `${stdout}${stderr}`]).toEqual([0, ''])
  },
)
