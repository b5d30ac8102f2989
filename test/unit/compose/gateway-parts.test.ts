import { Type } from 'typebox'
import { afterEach, expect, it, vi } from 'vitest'
import { gatewayPartProblem, instanceProblem } from '../../../host/plugin-loading/returned.ts'
import { openGatewayParts } from '../../../kernel/compose/gateway-parts.ts'
import type { GatewayEnv, GatewayPart, Plugin } from '../../../kernel/plugins/contract.ts'
import type { Route } from '../../../kernel/plugins/route.ts'

afterEach(() => vi.useRealTimers())

const route = (path: string): Route => ({
  method: 'GET',
  path,
  auth: 'public',
  summary: 'A page',
  handler: () => new Response('here'),
})

function pluginWith(id: string, gateway: () => GatewayPart | Promise<GatewayPart>): Plugin {
  const config = Type.Object({})
  const reservedPaths = ['/own', '/docs', '/v1/keys', '/unready']
  return {
    id,
    version: '1.0.0',
    kernel: '^1.0.0',
    config,
    reservedPaths,
    gateway,
    setup: () => ({}),
  }
}

/** The parts of these plugins, and what was logged. */
async function open(plugins: readonly Plugin[], isBuiltin = false) {
  const logged: { plugin?: string }[] = []
  const note = (fields: object): void => void logged.push(fields)
  const parts = await openGatewayParts({
    plugins: plugins.map((plugin) => ({ plugin, isBuiltin, origin: 'here' })),
    checks: { instanceProblem, gatewayPartProblem },
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
    pluginWith('good', () => stopped('good', { routes: [route('/own'), route('/docs')] })),
    pluginWith('throws', () => {
      throw new Error('no')
    }),
    pluginWith('unready', () =>
      stopped('unready', {
        routes: [route('/unready')],
        ready: () => Promise.reject(new Error('no')),
      }),
    ),
    pluginWith('second', () => stopped('second', { routes: [route('/docs')] })),
    pluginWith('kernels', () => ({ routes: [route('/v1/keys/{other}')] })),
    pluginWith('odd', () => ({ routes: 'none' }) as unknown as GatewayPart),
  ])
  expect(parts.routes.map(({ path }) => path)).toEqual(['/own', '/docs'])
  expect(leftOut).toEqual(['throws', 'unready', 'second', 'kernels', 'odd'])
  expect(ended).toEqual(['unready', 'second'])
  await parts.stop()
  expect(ended).toEqual(['unready', 'second', 'good'])
})

it('a part that is made after the time for it is left out, and stopped once it is there', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const made = Promise.withResolvers<GatewayPart>()
  const ended = Promise.withResolvers<string>()
  const opening = open([pluginWith('slow', () => made.promise)])
  await vi.advanceTimersByTimeAsync(60_000)
  expect((await opening).leftOut).toEqual(['slow'])
  made.resolve({ stop: async () => ended.resolve('stopped') })
  expect(await ended.promise).toBe('stopped')
})

it('what ships with the gateway does not fail: there is no start, and what was open is stopped', async () => {
  const ended: string[] = []
  const first = pluginWith('first', () => ({ stop: async () => void ended.push('first') }))
  const second = pluginWith('second', () => Promise.reject(new Error('no table')))
  await expect(open([first, second], true)).rejects.toThrow(/part second .*: no table/)
  expect(ended).toEqual(['first'])
})

it('a plugin from elsewhere adds routes in its reserved paths alone', async () => {
  const third = pluginWith('third', () => ({ routes: [route('/v1/third/page')] }))
  expect((await open([third])).leftOut).toEqual(['third'])
  const { parts } = await open([{ ...third, reservedPaths: ['/v1/third'] }])
  expect(parts.routes).toHaveLength(1)
  // Its own reservation keeps others away.
  expect(parts.unreserved).toEqual([])
  expect((await open([third], true)).parts.unreserved).toHaveLength(1)
})

it('the documents of a later part stand in the place of those of an earlier one', async () => {
  const texts = (own: string) => ({ openapi: () => own, llms: () => own, prices: () => own })
  const { parts } = await open([
    pluginWith('first', () => ({ documents: texts('first') })),
    pluginWith('second', () => ({ documents: texts('second') })),
    pluginWith('third', () => ({ documents: {} as never })),
  ])
  expect(parts.documents?.llms()).toBe('second')
  expect((await open([])).parts.documents).toBeNull()
})
