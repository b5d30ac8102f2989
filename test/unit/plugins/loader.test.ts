import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadPlugins } from '../../../host/plugin-loading/loader.ts'
import demo from '../../../plugins/demo/index.ts'

let dir: string
const contract = resolve(import.meta.dirname, '../../../kernel/index.ts')
const source = (id: string, changes = ''): string => `
import { definePlugin } from '${contract}'
export default definePlugin({
  id: '${id}', version: '1.2.3', kernel: '^1.0.0', config: { type: 'object' } as never,
  ${changes}
  setup: () => ({}),
})
`
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'coinop-plugins-'))
  writeFileSync(join(dir, 'single.ts'), source('single'))
  mkdirSync(join(dir, 'folder'))
  writeFileSync(join(dir, 'folder/index.ts'), source('folder'))
  mkdirSync(join(dir, 'package'))
  writeFileSync(join(dir, 'package/package.json'), '{"name":"package","main":"./entry.ts"}')
  writeFileSync(join(dir, 'package/entry.ts'), source('package'))
  mkdirSync(join(dir, 'empty'))
  writeFileSync(join(dir, 'throws.ts'), 'throw new Error("no database at import")')
  writeFileSync(join(dir, 'syntax.ts'), 'export default {{{')
  writeFileSync(join(dir, 'nothing.ts'), 'export const plugin = 5')
  writeFileSync(join(dir, 'future.ts'), source('future', `kernel: '^9.0.0',`))
  writeFileSync(join(dir, 'twice.ts'), source('demo'))
  writeFileSync(join(dir, 'unnamed.ts'), source('Not An Id'))
  writeFileSync(join(dir, 'schema.ts'), source('schema', `config: { type: 'string' } as never,`))
  writeFileSync(
    join(dir, 'service.ts'),
    source('service', `requires: ['vault', 'valut'] as never,`),
  )
  writeFileSync(join(dir, 'member.ts'), source('member', `requries: ['vault'], author: 'me',`))
  writeFileSync(join(dir, 'author.ts'), source('author', `author: 'me', note: '',`))
  writeFileSync(join(dir, 'notes.md'), 'not a plugin')
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('files, folders and packages load; each broken one is named and stands alone', async () => {
  const { plugins, problems } = await loadPlugins({
    builtins: [demo],
    pluginsDir: dir,
    packages: ['coinop-plugin-that-is-not-installed'],
  })
  expect([...plugins.keys()].sort()).toEqual(['author', 'demo', 'folder', 'package', 'single'])
  expect(plugins.get('demo')).toMatchObject({ origin: 'built in', isBuiltin: true })
  expect(plugins.get('folder')).toMatchObject({ origin: join(dir, 'folder'), isBuiltin: false })
  const told = Object.fromEntries(
    problems.map(({ origin, message }) => [origin.replace(`${dir}/`, ''), message]),
  )
  expect(told['throws.ts']).toBe('cannot be imported: no database at import')
  expect(told['syntax.ts']).toMatch(/^cannot be imported: /)
  expect(told['nothing.ts']).toBe('has no default export made by definePlugin()')
  expect(told['future.ts']).toBe(
    'plugin future is for kernel contract ^9.0.0; this gateway has 1.4.0',
  )
  expect(told['twice.ts']).toBe(
    'plugin id demo is taken by a plugin that ships with the gateway: give it another `id`',
  )
  expect(told['unnamed.ts']).toMatch(/`id` must be lower-case letters/)
  expect(told['schema.ts']).toBe('plugin schema: `config` must be a schema of an object')
  expect(told['empty']).toMatch(/no package\.json and none of index\.ts/)
  expect(told['coinop-plugin-that-is-not-installed']).toMatch(/^cannot be imported: .*installed'$/)
  expect(told['service.ts']).toMatch(
    /^plugin service: `requires` names "valut"; the services are billing, .*vault/,
  )
  expect(told['member.ts']).toBe('plugin member: `requries` is not known; did you mean `requires`?')
  expect(problems).toHaveLength(11)
})

test('a folder that is not there is a problem, not a crash', async () => {
  const { problems } = await loadPlugins({
    builtins: [],
    pluginsDir: join(dir, 'missing'),
    packages: [],
  })
  expect(problems).toEqual([
    { origin: join(dir, 'missing'), message: 'PLUGINS_DIR is not a folder that can be read' },
  ])
})

test('a link that leads nowhere and a module that never ends hold nothing up', async () => {
  const stuck = mkdtempSync(join(tmpdir(), 'coinop-stuck-'))
  writeFileSync(join(stuck, 'fine.ts'), source('fine'))
  writeFileSync(join(stuck, 'waits.ts'), 'await new Promise(() => {}); export default {}')
  symlinkSync('/nowhere/at/all', join(stuck, 'dangling'))
  symlinkSync('loop', join(stuck, 'loop'))
  const { plugins, problems } = await loadPlugins({
    builtins: [],
    pluginsDir: stuck,
    packages: [],
    importTimeoutMs: 300,
  })
  expect([...plugins.keys()]).toEqual(['fine'])
  expect(problems).toEqual([
    { origin: join(stuck, 'dangling'), message: 'cannot be read (ENOENT)' },
    { origin: join(stuck, 'loop'), message: 'cannot be read (ELOOP)' },
    { origin: join(stuck, 'waits.ts'), message: 'cannot be imported: no end within 300 ms' },
  ])
  rmSync(stuck, { recursive: true, force: true })
})

test.each([
  ['contradictions', 'must be a function'],
  ['setupFindings', 'must be a function'],
  ['reservedPaths', 'must be a list of absolute paths'],
  ['commands', 'must be a list of { name'],
  ['variables', 'must be a list of { name'],
])('a manifest whose %s is no such thing is refused by that name', async (member, told) => {
  const plugin = { ...demo, id: 'odd', [member]: 'x' } as never
  const { problems } = await loadPlugins({ builtins: [plugin], pluginsDir: null, packages: [] })
  expect(problems[0]?.message).toContain(`plugin odd: \`${member}\` ${told}`)
})
