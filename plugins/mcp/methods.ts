/** The methods of both eras. Each returns a finished result or throws a ProtocolError. */
import { callTool, subjectOf, type CallDeps } from './call.ts'
import { clientOf } from './client.ts'
import type { Exchange } from './exchange.ts'
import { complete, getPrompt } from './prompts/methods.ts'
import {
  CODE,
  LEGACY_VERSIONS,
  MODERN_VERSION,
  ProtocolError,
  type Era,
  type Json,
} from './protocol.ts'
import { railCapabilities } from './rails.ts'
import { membersOf, Reply, reply } from './reply.ts'
import { readResource, subscriptionNote } from './resources/methods.ts'

export type Method = (params: Json | undefined, exchange: Exchange) => Promise<Reply> | Reply
export type MethodTable = Readonly<Record<string, Method>>

export interface MethodDeps extends CallDeps {
  /** How to pay, retry and not pay twice; shown to the model by its host. */
  instructions(): string
}

/** The lists are per request, so nobody can be told of a change: no `listChanged`, no `subscribe`. */
function capabilitiesOf({ era, surface }: Exchange): Json {
  const logs = surface.snapshot.skills.some(({ skill }) => skill.logs)
  return {
    tools: {},
    prompts: {},
    resources: {},
    completions: {},
    ...(logs && { logging: {} }),
    ...railCapabilities(surface.rails, era),
  }
}
const EMPTY = new Reply('{}')

/** The methods of one era; a method that the era does not have is absent. */
export function methodsOf(era: Era, deps: MethodDeps): MethodTable {
  const { info, input, instructions } = deps
  const done = (members: string, cacheable = false): Reply =>
    reply({ era, info, members, cacheable })
  const shared: MethodTable = {
    'tools/list': (params, { surface, naming }) =>
      surface.named(naming).toolList.page(era, params?.['cursor']),
    'tools/call': (params, exchange) => callTool(deps, params, exchange),
    'prompts/list': (params, { surface, naming }) =>
      surface.named(naming).promptList.page(era, params?.['cursor']),
    'prompts/get': async (params, exchange) => {
      const { prompts } = exchange.surface.named(exchange.naming)
      const subject = subjectOf(deps.calls, exchange, `prompt ${String(params?.['name'])}`)
      const client = clientOf(exchange, await input.answersIn(params, subject))
      const got = await getPrompt(prompts, params, client)
      if (typeof got === 'string') return done(got)
      if (era === 'modern') return input.reply(got, exchange, subject)
      throw new ProtocolError(
        CODE.invalidParams,
        'This prompt asks questions, which needs a client of 2026-07-28',
      )
    },
    'resources/list': (params, { surface }) => surface.resourceList.page(era, params?.['cursor']),
    'resources/templates/list': (params, { surface }) =>
      surface.templateList.page(era, params?.['cursor']),
    'resources/read': async (params, { surface, naming }) =>
      done(await readResource(surface.named(naming).resources, params, era), true),
    'completion/complete': (params, { surface, naming }) =>
      done(complete(surface.named(naming).prompts, params)),
  }
  if (era === 'modern') {
    return {
      ...shared,
      'server/discover': (_, exchange) =>
        done(
          membersOf({
            supportedVersions: [MODERN_VERSION],
            capabilities: capabilitiesOf(exchange),
            instructions: instructions(),
          }),
          true,
        ),
    }
  }
  const subscription: Method = (params, { surface }) =>
    new Reply(`{"_meta":{${subscriptionNote(surface.resources, params, era)}}}`)
  return {
    ...shared,
    ping: () => EMPTY,
    'resources/subscribe': subscription,
    'resources/unsubscribe': subscription,
    'logging/setLevel': (_, exchange) => {
      if ('logging' in capabilitiesOf(exchange)) return EMPTY
      throw new ProtocolError(CODE.methodNotFound, 'No tool here sends log messages')
    },
    initialize: (params, exchange) =>
      done(
        membersOf({
          protocolVersion: agreedVersion(params?.['protocolVersion']),
          capabilities: capabilitiesOf(exchange),
          serverInfo: info,
          instructions: instructions(),
        }),
      ),
  }
}

/** The asked-for revision when it has a handshake, else the newest that has one. */
function agreedVersion(requested: unknown): string {
  return typeof requested === 'string' && LEGACY_VERSIONS.includes(requested)
    ? requested
    : LEGACY_VERSIONS[0]!
}
