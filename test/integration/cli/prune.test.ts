/** What the install of a clone takes away from its packages, and what it leaves alone. */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../../..')
const SCRIPTS = ['bin/prune.mjs', 'plugins/unread-files.mjs']
const BUN = resolve(import.meta.dirname, '../../../node_modules/.bin/bun')
let folder = ''

function write(...names: string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), MANIFESTS[name.replace(/^node_modules\//, '')] ?? 'x')
  }
}
const MANIFESTS: Readonly<Record<string, string>> = {
  'built/package.json': '{"exports":{"types":"./dist/h.d.ts","default":"./dist/h.js"}}',
  'raw/package.json': '{"exports":"./src/i.ts"}',
}
const left = (...names: string[]): string[] =>
  names.filter((name) => existsSync(join(folder, name)))
/** Ends with what it printed, which is nothing when all went well. */
function prune(project: string, ...words: string[]): string {
  for (const script of SCRIPTS) cpSync(join(ROOT, script), join(folder, project, script))
  const command = [join(folder, project, 'bin/prune.mjs'), ...words]
  return spawnSync(BUN, command, { encoding: 'utf8', cwd: folder }).stderr
}

afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('takes maps and the runtimes of other machines, and nothing that is only linked', () => {
  folder = mkdtempSync(join(tmpdir(), 'coinop-prune-'))
  const modules = 'project/node_modules'
  const runtime = `${modules}/onnxruntime-node/bin/napi-v6`
  const own = `${runtime}/${process.platform}/${process.arch}/a.node`
  write(`${modules}/a/dist/a.js.map`, `${modules}/@b/c/d.d.ts.map`, `${modules}/a/a.js`)
  write(own, `${runtime}/other/x64/a.node`, 'mine/dist/mine.js.map')
  symlinkSync('../../mine', join(folder, modules, 'mine'))
  symlinkSync('..', join(folder, modules, 'a/loop'))
  expect(prune('project')).toBe('')
  expect(left(`${modules}/a/dist/a.js.map`, `${modules}/@b/c/d.d.ts.map`)).toEqual([])
  expect(left(`${runtime}/other/x64`)).toEqual([])
  const kept = [`${modules}/a/a.js`, own, 'mine/dist/mine.js.map']
  expect(left(...kept)).toEqual(kept)
})

const PACKAGES = [
  'tesseract.js-core/tesseract-core-simd-lstm.wasm',
  'tesseract.js-core/tesseract-core-simd.wasm.js',
  '@tesseract.js-data/eng/4.0.0/eng.traineddata.gz',
  'pdfjs-dist/build/pdf.mjs',
  'pdfjs-dist/legacy/build/pdf.worker.min.mjs',
  'b/node_modules/zod/src/index.ts',
  'c/prebuilds/other-cpu/c.node',
  'viem/_cjs/index.js',
  'viem/README.md',
  'built/src/h.ts',
]
const READ = [
  'tesseract.js-core/tesseract-core-simd.wasm',
  'tesseract.js-core/tesseract-core-simd.js',
  '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz',
  'pdfjs-dist/legacy/build/pdf.worker.mjs',
  'b/node_modules/zod/index.js',
  'b/src/index.ts',
  `c/prebuilds/${process.platform}-${process.arch}/c.node`,
  'd/prebuilds/other-cpu/d.node',
  'viem/_esm/index.js',
  'viem/LICENSE.md',
  'built/package.json',
  'built/dist/h.js',
  'raw/package.json',
  'raw/src/i.ts',
  '@coinop/gateway/README.md',
  '@coinop/gateway/kernel/index.d.ts',
]
const COMPILED = [
  'built/dist/h.d.ts',
  'b/index.d.ts',
  '@e/f/dist/f.d.mts',
  'typescript/lib/tsc.js',
  '@types/g/index.js',
]

it.each([
  ['a production install', [], READ],
  ['a clone that is worked on', ['vitest/package.json'], [...READ, ...COMPILED]],
])('leaves in %s what is read there', (_, more, kept) => {
  folder = mkdtempSync(join(tmpdir(), 'coinop-prune-'))
  const inModules = (names: readonly string[]) => names.map((name) => `node_modules/${name}`)
  const all = inModules([...PACKAGES, ...READ, ...COMPILED, ...more])
  write(...all)
  expect(prune('.')).toBe('')
  expect(left(...all).toSorted()).toEqual(inModules([...kept, ...more]).toSorted())
})

it('leaves to plugins of others what they may read in the folder of an operator', () => {
  folder = mkdtempSync(join(tmpdir(), 'coinop-prune-'))
  const foreign = 'onnxruntime-node/bin/napi-v6/other/x64/a.node'
  const own = `onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}/a.node`
  const gone = [foreign, PACKAGES[0]!, 'c/prebuilds/other-cpu/c.node', 'built/dist/h.js.map']
  const kept = [own, ...READ, ...COMPILED, 'viem/_cjs/index.js', 'viem/README.md', 'built/src/h.ts']
  write(...[...gone, ...kept].map((name) => `node_modules/${name}`))
  expect(prune('elsewhere', 'node_modules')).toBe('')
  expect(left(...gone.map((name) => `node_modules/${name}`))).toEqual([])
  expect(left(...kept.map((name) => `node_modules/${name}`))).toHaveLength(kept.length)
  expect(prune('elsewhere', 'node_modules', '--production')).toBe('')
  expect(left(...[...COMPILED, 'viem/README.md'].map((name) => `node_modules/${name}`))).toEqual([])
  expect(left(...READ.map((name) => `node_modules/${name}`))).toHaveLength(READ.length)
})

it('leaves the packages of another folder alone', () => {
  folder = mkdtempSync(join(tmpdir(), 'coinop-prune-'))
  write('shared/a/a.js.map')
  mkdirSync(join(folder, 'project'))
  symlinkSync('../shared', join(folder, 'project/node_modules'))
  expect(prune('project')).toBe('')
  expect(left('shared/a/a.js.map')).toEqual(['shared/a/a.js.map'])
})
