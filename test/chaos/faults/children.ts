/**
 * SIGKILL to what gateways have started: workers of the job pool, the browser, the chain node, the
 * embedded PostgreSQL and its children, one after the other, while callers buy skills of all of them.
 */
import { seeded } from '../../support/docintel-fixtures/random.ts'
import type { GatewayProcess } from '../../support/gateway.ts'
import type { Order } from '../gateways.ts'
import { descendantsOf, type Process } from './processes.ts'
import type { FaultOptions, FaultReport } from './shop.ts'
import type { Size } from './sizes.ts'

const PAGE = '<h1>For sale</h1><p>Many words that a reader of this page may want to have.</p>'

/** Shops where the children are; see `onAny` of the scenarios. */
type ShopThere = (fault: Pick<FaultOptions, 'env' | 'orders' | 'disturb'>) => Promise<FaultReport>

/** How many of each kind were killed is in the report, by the name of their program. */
export async function killChildren(
  shop: ShopThere,
  seed: number,
  size: Size,
): Promise<FaultReport> {
  const page = new Response(PAGE, { headers: { 'content-type': 'text/html' } })
  const site = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => page.clone() })
  const url = `http://127.0.0.1:${site.port}/`
  const orders: Order[] = [
    { path: '/v1/utils/extract', body: { url } },
    { path: '/v1/utils/screenshot', body: { url } },
    { path: '/v1/utils/diff', body: { before: { type: 'object' }, after: { type: 'array' } } },
  ]
  const killed: Record<string, number> = {}
  try {
    const report = await shop({
      env: {
        SANDBOX_CHAIN: 'true',
        ALLOW_PRIVATE_TARGETS: `127.0.0.1:${site.port}`,
      },
      orders,
      disturb: ({ gateways }) => killAtRandom(gateways, seed, size, killed),
    })
    return { ...report, counts: { ...killed, ...report.counts } }
  } finally {
    await site.stop(true)
  }
}

async function killAtRandom(
  gateways: readonly GatewayProcess[],
  seed: number,
  { childKills, childBetweenMs }: Size,
  killed: Record<string, number>,
): Promise<void> {
  const random = seeded(seed)
  for (let kills = 0; kills < childKills;) {
    await Bun.sleep(random.int(...childBetweenMs))
    const found = descendantsOf(random.pick(gateways).pid)
    // By kind first: a browser is a dozen processes, the chain node is one.
    const kinds = [...new Set(found.map(kindOf))].toSorted()
    if (kinds.length === 0) continue
    const kind = random.pick(kinds)
    const { pid } = random.pick(found.filter((one) => kindOf(one) === kind))
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
      continue
    }
    kills += 1
    killed[`killed ${kind}`] = (killed[`killed ${kind}`] ?? 0) + 1
  }
}

/** The name of a process's program, and of its script where Bun runs it. */
function kindOf({ command }: Process): string {
  const [program = '', ...rest] = command.split(' ')
  const script = rest.find((word) => !word.startsWith('-')) ?? ''
  const name = program.split('/').at(-1)!.replace(':', '')
  return name.startsWith('bun') ? script.split('/').at(-1)! : name
}
