/** The files of an operator's folder, in an empty one and in one that `npm install` has begun. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { addToManifest } from '../../../../plugins/scaffold/plugin-new.ts'
import { pluginFiles } from '../../../../plugins/scaffold/plugin-template.ts'
import { writeOperatorFiles } from '../../../../plugins/scaffold/operator-folder.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'coinop-operator-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const manifest = () => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const GATEWAY = { '@coinop/gateway': '1.2.3' }

it('writes all of them into an empty folder, and nothing the second time', () => {
  expect(writeOperatorFiles(folder, '1.2.3')).toEqual([
    'package.json',
    '.gitignore',
    '.env.example',
    '.npmrc',
  ])
  expect(manifest()).toMatchObject({ private: true, dependencies: GATEWAY })
  expect(writeOperatorFiles(folder, '1.2.3')).toEqual([])
})

it('adds the scripts to the package.json that `npm install` made', () => {
  const path = join(folder, 'package.json')
  writeFileSync(path, JSON.stringify({ scripts: { start: 'mine' }, dependencies: GATEWAY }))
  const [first] = writeOperatorFiles(folder, '9.9.9')
  expect(first).toBe('package.json: the scripts doctor, postinstall')
  const { scripts, dependencies } = manifest()
  expect(dependencies).toEqual(GATEWAY)
  expect(scripts.start).toBe('mine')
  expect(scripts.postinstall).toContain('prune.mjs node_modules')
})

it('leaves the package.json of a folder alone that does not use the gateway', () => {
  const text = '{"name":"another"}'
  writeFileSync(join(folder, 'package.json'), text)
  expect(writeOperatorFiles(folder, '1.2.3')).not.toContain('package.json')
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(text)
})

it('asks for no package of a plugin that the folder has already', () => {
  const dependencies = { ...GATEWAY, typebox: '^1.0.0' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }))
  expect(addToManifest(folder)).toHaveLength(1)
  expect(Object.keys(manifest().devDependencies)).toEqual(['@types/bun', 'bun', 'typescript'])
  // Of the gateway's own version, so that it is not installed twice.
  const own = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8'),
  )
  expect(manifest().devDependencies.bun).toBe(own.dependencies.bun)
  expect(manifest().dependencies).toEqual(dependencies)
  expect(addToManifest(folder)).toEqual([])
})

it('a new plugin goes where the gateway looks for plugins and products', () => {
  const files = pluginFiles('loud', { plugins: "my plugin's", products: '../sold' })
  expect(Object.keys(files)).toEqual([
    "my plugin's/loud/index.ts",
    "my plugin's/loud/loud.test.ts",
    '../sold/loud.yaml',
  ])
  expect(files["my plugin's/loud/loud.test.ts"]).toContain(
    String.raw`startTestGateway({ PLUGINS_DIR: 'my plugin\'s', PRODUCTS_DIR: '../sold' })`,
  )
})
