/** The `oneOffSales` service: a sale at the buyer's price, metered like every call. */
import { Type } from 'typebox'
import {
  assert,
  GOODS_PREFIX,
  httpSource,
  newId,
  type Logger,
  type MountedSkill,
  type OneOffSale,
  type OneOffSales,
  type PluginEnv,
  type Result,
  type Skill,
} from '#kernel'
import { answerOf, flatPrice, placeOf, Quotes, type LedgerRows, type Meter } from '#kernel/host'

/** Goods are handed over in the work itself, which writes a few rows. */
const TIMEOUT_MS = 30_000

export interface OneOffSaleDeps {
  meter: Meter
  ledger: LedgerRows
  publicUrl: string
  priceVersion(): number
  log: Logger
}

export function createOneOffSales(deps: OneOffSaleDeps): OneOffSales {
  return {
    async sell(order) {
      assert(order.skillId.startsWith(GOODS_PREFIX), `goods are named ${GOODS_PREFIX}…`)
      const requestId = newId()
      let payer: string | null = null
      const mounted = goods(deps, order, () => order.work(requestId, payer))
      const { request } = order.request
      const outcome = await deps.meter.run({
        mounted,
        quote: { ...new Quotes(deps.publicUrl).http(mounted), hasOwnPrice: true },
        requestId,
        source: httpSource(request.headers, order.request),
        place: placeOf(request),
        idempotencyKey: order.idempotencyKey,
        acquisition: null,
        clientAddress: order.request.clientAddress,
        signal: order.request.signal,
        paidBy: (owner) => {
          payer = owner
        },
        read: async () => ({ ok: true, input: order.input }),
        parts: async () => null,
      })
      const response = answerOf(outcome, {
        requestId,
        priceVersion: mounted.priceVersion,
        paidRoute: true,
      })
      if (outcome.kind !== 'answer') return { outcome: 'unsold', response }
      return { outcome: outcome.replayed ? 'again' : 'sold', response }
    },
    async wasPaid({ requestId, skillId, amountAtomic }) {
      // A request id can be chosen by callers of other routes; the goods' skill id cannot.
      const rows = await deps.ledger.rows({ requestId, kind: 'settlement', limit: 100 })
      return rows.some((row) => row.skillId === skillId && row.amountAtomic === amountAtomic)
    },
  }
}

function goods(
  deps: OneOffSaleDeps,
  order: OneOffSale,
  work: () => Promise<Result<unknown>>,
): MountedSkill {
  const skill: Skill = {
    id: order.skillId,
    tools: [],
    title: order.title,
    description: order.description,
    input: Type.Object({}, { additionalProperties: true }),
    output: order.output,
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
    handler: work,
  }
  const productId = order.skillId.split('.')[0]!
  return {
    skill,
    // The work is the plugin's own closure; the meter needs only a log and a clock of it.
    env: { config: {}, log: deps.log, now: () => new Date() } as unknown as PluginEnv,
    product: {
      id: productId,
      title: order.title,
      description: order.description,
      basePath: order.path,
      spec: {},
    },
    route: { method: 'POST', path: order.path },
    tools: [],
    metered: true,
    amountAtomic: order.amountAtomic,
    price: flatPrice(order.amountAtomic),
    isMeasured: false,
    priceVersion: deps.priceVersion(),
    rails: order.rails,
    limits: { timeoutMs: TIMEOUT_MS, bodyBytes: 65_536, concurrency: 64 },
  }
}
