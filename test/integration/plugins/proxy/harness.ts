/** The proxy plugin set up as the kernel does, without a gateway around it. */
import { allowList } from '../../../../host/outbound/allow-list.ts'
import { createOutbound } from '../../../../host/outbound/index.ts'
import type { Alert } from '../../../../kernel/plugins/alerts.ts'
import type { Instance, PluginEnv } from '../../../../kernel/plugins/contract.ts'
import type { ForwardRequest, Skill, SkillContext } from '../../../../kernel/plugins/skill.ts'
import { parseProducts } from '../../../../host/product-files/parse.ts'
import proxy from '../../../../plugins/proxy/index.ts'
import type { Logger } from '../../../../kernel/log/logger.ts'
import { silentLog } from '../../../support/log.ts'

export interface ProxyInstance extends Instance {
  skill(id: string): Skill
}

/** The instance for a spec in YAML; throws what the spec or the plugin's setup throws. */
export async function proxyOf(
  yaml: string,
  options: {
    resolve?: (host: string) => string[]
    allow?: string[]
    /** Of what the operator is told. */
    told?: Alert[]
    log?: Logger
  } = {},
): Promise<ProxyInstance> {
  const [parsed] = parseProducts(yaml, { file: null, env: {} })
  if (!parsed?.ok) throw new Error(JSON.stringify(parsed))
  const { spec } = parsed
  const outbound = createOutbound({
    allowPrivate: allowList(options.allow ?? []),
    userAgent: 'Coinop/test',
    ...(options.resolve && {
      resolver: async (host: string) =>
        options.resolve!(host).map((address) => ({ address, family: 4 as const })),
    }),
  })
  const { productId: id, title, description, basePath } = spec
  const alerts = {
    holds: async (alert: Alert) => Boolean(options.told?.push(alert)),
  }
  const env = {
    config: {},
    product: { id, title, description, basePath, spec },
    log: options.log ?? silentLog,
    publicUrl: 'https://pay.example.com',
    service: (name: string) => (name === 'alerts' ? alerts : outbound),
    now: () => new Date(),
  } as unknown as PluginEnv<never>
  const instance = (await proxy.setup(env)) as Instance
  return Object.assign(instance, {
    skill: (skillId: string) => instance.skills!.find((skill) => skill.id === skillId)!,
  })
}

export function contextOf(
  overrides: Partial<SkillContext> = {},
): SkillContext & { controller: AbortController } {
  const controller = new AbortController()
  const context = {
    requestId: 'req-1',
    signal: controller.signal,
    caller: { rail: 'credits', isHeld: true, keyId: 'key-1', mode: 'test', share: 'share-1' },
    log: silentLog,
    ...overrides,
  } as SkillContext
  return Object.assign(context, { controller })
}

export function request(
  path: string,
  init: Partial<Omit<ForwardRequest, 'headers'>> & { headers?: Record<string, string> } = {},
): ForwardRequest {
  const { headers, ...rest } = init
  return {
    method: 'GET',
    path,
    search: '',
    body: null,
    clientAddress: '203.0.113.9',
    ...rest,
    headers: new Headers(headers),
  }
}
