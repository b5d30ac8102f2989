import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { openGatewayParts } from '../../../kernel/compose/gateway-parts.ts'
import type { GatewayEnv, GatewayPart, Plugin } from '../../../kernel/plugins/contract.ts'
import type { Route } from '../../../kernel/plugins/route.ts'

const route = (path: string): Route => ({
  method: 'GET',
  path,
  auth: 'public',
  summary: 'A page',
  handler: () => new Response('here'),
})

function pluginWith(id: string, gateway: () => GatewayPart | Promise<GatewayPart>): Plugin {
  const config = Type.Object({})
  return { id, version: '1.0.0', kernel: '^1.0.0', config, gateway, setup: () => ({}) }
}

/** The parts of these plugins, and what was logged. */
async function open(plugins: { plugin: Plugin; isBuiltin?: boolean }[]) {
  const logged: { plugin?: string }[] = []
  const note = (fields: object): void => void logged.push(fields)
  const parts = await openGatewayParts({
    plugins: plugins.map(({ plugin, isBuiltin = true }) => ({ plugin, isBuiltin, origin: 'here' })),
    taken: [route('/v1/keys/{id}')],
    makeEnv: () => ({}) as GatewayEnv,
    migrate: async () => {},
    log: { debug: note, info: note, warn: note, error: note },
  })
  return { parts, leftOut: logged.map(({ plugin }) => plugin) }
}

it('a part that fails, or takes a path that is taken, is left out and stopped; the others stay', async () => {
  const ended: string[] = []
  const stopped = (id: string, part: GatewayPart = {}): GatewayPart => ({
    ...part,
    stop: async () => void ended.push(id),
  })
  const { parts, leftOut } = await open([
    { plugin: pluginWith('good', () => stopped('good', { routes: [route('/'), route('/docs')] })) },
    {
      plugin: pluginWith('throws', () => {
        throw new Error('no')
      }),
    },
    {
      plugin: pluginWith('unready', () =>
        stopped('unready', {
          routes: [route('/unready')],
          ready: () => Promise.reject(new Error('no')),
        }),
      ),
    },
    { plugin: pluginWith('second', () => stopped('second', { routes: [route('/docs')] })) },
    { plugin: pluginWith('kernels', () => ({ routes: [route('/v1/keys/{other}')] })) },
    { plugin: pluginWith('odd', () => ({ routes: 'none' }) as unknown as GatewayPart) },
  ])
  expect(parts.routes.map(({ path }) => path)).toEqual(['/', '/docs'])
  expect(leftOut).toEqual(['throws', 'unready', 'second', 'kernels', 'odd'])
  expect(ended).toEqual(['unready', 'second'])
  await parts.stop()
  expect(ended).toEqual(['unready', 'second', 'good'])
})

it('a plugin from elsewhere adds routes in its reserved paths alone', async () => {
  const third = { ...pluginWith('third', () => ({ routes: [route('/v1/third/page')] })) }
  const stray = await open([{ plugin: third, isBuiltin: false }])
  expect(stray.leftOut).toEqual(['third'])
  const { parts } = await open([
    { plugin: { ...third, reservedPaths: ['/v1/third'] }, isBuiltin: false },
  ])
  expect(parts.routes).toHaveLength(1)
  // Its own reservation keeps others away.
  expect(parts.unreserved).toEqual([])
})
