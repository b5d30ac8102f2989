/**
 * The published package in an empty folder, as a stranger installs it: packed, installed from the npm
 * registry, started, paid, type-checked, and with a plugin of its own. What is installed runs as
 * JavaScript: nothing of this clone is behind it but the compiler and its types.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildPackage } from '../../packaging/build.ts'
import { writePdf } from '../support/pdf-writer.ts'

const root = resolve(import.meta.dirname, '../..')
// People have spaces and umlauts in the paths of their folders.
const scratch = mkdtempSync(join(tmpdir(), 'coinop päckage-'))
const folder = join(scratch, 'mine')
const bun = join(folder, 'node_modules/.bin/bun')
const gateway = 'node_modules/@coinop/gateway'

let installed: { code: number; all: string }

async function run(words: string[], env: Record<string, string> = {}, cwd = folder) {
  const child = Bun.spawn(words, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out, all: out + err }
}

beforeAll(async () => {
  const built = join(scratch, 'built')
  await buildPackage(built)
  mkdirSync(folder)
  const packed = await run(['npm', 'pack', '--silent', '--pack-destination', scratch, built])
  expect(packed.code, packed.all).toBe(0)
  const tarball = join(scratch, packed.out.trim().split('\n').at(-1)!)
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  const quiet = { npm_config_update_notifier: 'false' }
  installed = await run(['npm', 'install', ...flags, tarball], quiet)
  expect(installed.code, installed.all).toBe(0)
  // As the `postinstall` that `coinop init` writes; all that follows runs on what is left.
  for (const words of [['prune.mjs', 'node_modules'], ['place-bun.mjs']]) {
    const after = await run(['node', join(gateway, 'bin', words[0]!), ...words.slice(1)])
    expect([after.code, after.all]).toEqual([0, ''])
  }
}, 600_000)
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

it('installs without a word of npm about any package, also on Node.js 20', () => {
  expect(installed.all.trim()).toMatch(/^(added|up to date)[^\n]*$/)
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { engines?: { node?: string } }>
  }
  const refusing = Object.entries(lock.packages).filter(
    ([, { engines }]) => engines?.node && !Bun.semver.satisfies('20.20.2', engines.node),
  )
  expect(refusing).toEqual([])
})

it('names no folder of the build that made it, so that another build makes the same files', () => {
  const home = join(folder, gateway)
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' })
  const scripts = names.filter((name) => /\.(m?js|d\.ts)$/.test(name))
  expect(scripts.filter((name) => name.startsWith('vendor/')).length).toBeGreaterThan(5)
  const naming = scripts.filter((name) => {
    const text = readFileSync(join(home, name), 'utf8')
    return text.includes(root) || /^\/\/ (?:\/|\.\.\/|node_modules\/\.)/m.test(text)
  })
  expect(naming).toEqual([])
})

it('has the libraries of this platform alone, where onnxruntime-node was installed', () => {
  const above = join(folder, 'node_modules/onnxruntime-node/bin/napi-v6')
  const platforms = existsSync(above) ? readdirSync(above) : [process.platform]
  expect(platforms).toEqual([process.platform])
})

/** The compiler of this clone in the folder: one checker, because two cores have another test to run. */
const compiled = (...words: string[]) =>
  run([
    process.execPath,
    join(root, 'node_modules/typescript/bin/tsc'),
    '--checkers',
    '1',
    ...words,
  ])

/** `coinop start` in the folder, once it has said all that a start says. */
async function started(env: Record<string, string> = {}) {
  const child = Bun.spawn(['npx', '--no-install', 'coinop', 'start'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let printed = ''
  const collected = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of child.stdout) printed += decoder.decode(chunk, { stream: true })
  })()
  while (!/\n {2}(curl -i|npx coinop key create) .*\n/.test(printed) && child.exitCode === null)
    await Bun.sleep(50)
  const url = /listening on (http:\/\/\S+)/.exec(printed)?.[1]
  expect(url, printed).toBeDefined()
  return {
    url: url!,
    printed,
    async stop() {
      child.kill('SIGTERM')
      await Promise.all([child.exited, collected])
    },
  }
}

async function bought(url: string, key: string, path: string, body: object) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return [answer.status, answer.headers.get('x-charged-credits'), await answer.text()]
}

it('starts with the demo product, prints a key, and a call is paid with it', async () => {
  const gateway = await started()
  const { url, printed } = gateway
  const key = /ck_test_\w+/.exec(printed)?.[0]
  expect(key, printed).toBeDefined()
  const paid = await fetch(`${url}/v1/paid/hash`, {
    method: 'POST',
    headers: { 'x-api-key': key!, 'content-type': 'application/json' },
    body: '{"input":"hello"}',
  })
  expect([paid.status, paid.headers.get('x-charged-credits')]).toEqual([200, '2'])
  expect(existsSync(join(folder, 'products/demo.yaml'))).toBe(true)
  // Scripts that are built for browsers out of what is installed.
  const scripts = ['/docs/page.js', '/console/console.js']
  for (const path of [...scripts, '/account/account.js', '/account/sign-in.js']) {
    expect((await fetch(url + path)).status).toBe(200)
  }
  await gateway.stop()
})

it('opens pages and PDF files with the libraries that are bundled into it', async () => {
  cpSync(join(folder, gateway, 'products/utils.yaml'), join(folder, 'products/utils.yaml'))
  const site = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('a page') })
  const running = await started({ ALLOW_PRIVATE_TARGETS: `127.0.0.1:${site.port}` })
  try {
    const made = await run([
      'npx',
      '--no-install',
      'coinop',
      'key',
      'create',
      'me',
      '--credits',
      '50',
    ])
    expect(made.code, made.all).toBe(0)
    const { key, credits } = JSON.parse(made.out) as { key: string; credits: number }
    expect(credits).toBe(50)
    const pages = [{ content: 'BT /F1 24 Tf 72 700 Td (Hello from a file) Tj ET' }]
    const file_base64 = Buffer.from(writePdf({ pages })).toString('base64')
    const read = await bought(running.url, key, '/v1/utils/pdf/extract', { file_base64 })
    expect(read).toEqual([200, '10', expect.stringContaining('Hello from a file')])
    const url = `http://127.0.0.1:${site.port}/`
    const seen = await bought(running.url, key, '/v1/utils/screenshot', { url })
    expect(seen).toEqual([200, '10', expect.any(String)])
  } finally {
    await running.stop()
    await site.stop(true)
  }
})

it('tells its story, with payments on a local chain, out of what is installed', async () => {
  const told = await run(['npx', '--no-install', 'coinop', 'demo'])
  expect(told.code, told.all).toBe(0)
  expect(told.out).toContain('Everything went as told.')
})

it('has types that a strict compiler takes', async () => {
  writeFileSync(
    join(folder, 'check.ts'),
    `import { definePlugin, defineSkill, fail, type Rail } from '@coinop/gateway'
import { groundOf } from '@coinop/gateway/skillkit'
import { runContract, startTestGateway, type SkillFixture } from '@coinop/gateway/testkit'
import { Type } from 'typebox'
const one = defineSkill({
  id: 'a.b', tools: [], title: 'A', description: 'B',
  input: Type.Object({ text: Type.String() }), output: Type.Object({ size: Type.Integer() }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  handler: async (_ctx, { text }) =>
    text === '' ? fail('INVALID_INPUT', 'empty') : { ok: true, output: { size: text.length } },
})
export const fixture: SkillFixture = { skill: 'a.b', input: {} }
export type { Rail }
export { groundOf, runContract, startTestGateway }
// @ts-expect-error What the gateway's own folders import is not offered to plugins.
export type { Database } from '@coinop/gateway/host'
// @ts-expect-error The same by the entry of plugins.
export { createClient } from '@coinop/gateway'
export default definePlugin({
  id: 'a', version: '1.0.0', kernel: '^1.0.0', config: Type.Object({}), setup: () => ({ skills: [one] }),
})
`,
  )
  const options = { strict: true, module: 'nodenext', target: 'esnext', noEmit: true }
  const types = {
    skipLibCheck: false,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  }
  writeFileSync(
    join(folder, 'tsconfig.check.json'),
    JSON.stringify({ compilerOptions: { ...options, ...types }, files: ['check.ts'] }),
  )
  const checked = await compiled('-p', 'tsconfig.check.json')
  expect([checked.code, checked.all]).toEqual([0, ''])
})

it('makes a plugin that is green at once', async () => {
  const made = await run(['npx', '--no-install', 'coinop', 'plugin', 'new', 'loud'])
  expect(made.code, made.all).toBe(0)
  expect(readFileSync(join(folder, '.env'), 'utf8')).toContain('PLUGINS_DIR=plugins')
  // In the place of `npm install`, which would get the same from the registry.
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
  for (const name of ['bun-types', '@types/node'])
    if (!existsSync(join(folder, 'node_modules', name)))
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  const tested = await run([bun, 'test'])
  expect(tested.code, tested.all).toBe(0)
  const checked = await compiled('--types', 'bun-types')
  expect([checked.code, checked.all]).toEqual([0, ''])
})
