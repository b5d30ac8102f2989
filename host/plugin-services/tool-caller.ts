/** The `calls` service: tool calls through the same meter as HTTP. */
import { hash } from 'node:crypto'
import {
  canonicalJson,
  compileSchema,
  isBrief,
  type Caller,
  type CallOutcome,
  type CallPlace,
  type CredentialSource,
  type Failure,
  type MountedSkill,
  type Quote,
  type SkillTool,
  type ToolCallOrder,
} from '#kernel'
import {
  badInput,
  requestIdFrom,
  type Authenticator,
  type Meter,
  type MeterCall,
  type MeterOutcome,
  type Quotes,
  type ReadOutcome,
} from '#kernel/host'
import { offerFor } from './offer-for.ts'

const decoder = new TextDecoder()

export interface CallerDeps {
  meter: Meter
  quotes: Quotes
  auth: Authenticator
  /** Counts a call of this skill as in flight; returns its end. */
  enter(mounted: MountedSkill): () => void
  /** Log line and metrics of a finished call. */
  observe(call: MeterCall, outcome: MeterOutcome, startedAt: number): void
}

export class ToolCaller implements Caller {
  readonly #deps: CallerDeps

  constructor(deps: CallerDeps) {
    this.#deps = deps
  }

  quoteTool(mounted: MountedSkill, tool: SkillTool): Quote {
    return this.#deps.quotes.tool(mounted, tool)
  }

  async identify(
    credentials: CredentialSource,
  ): Promise<{ ok: true; keyId: string | null } | Failure> {
    const found = await this.#deps.auth.identify(credentials)
    return found.ok ? { ok: true, keyId: found.identity?.keyId ?? null } : found
  }

  async callTool(order: ToolCallOrder): Promise<CallOutcome> {
    const startedAt = performance.now()
    const requestId = requestIdFrom(order.requestId ?? null)
    const { mounted } = order
    const quote = this.quoteTool(mounted, order.tool)
    const place: CallPlace = { transport: 'mcp', method: 'POST', target: quote.resourceUrl }
    const call: MeterCall = {
      mounted,
      quote,
      requestId,
      source: order.credentials,
      ...(order.sentBody && { sentBody: ({ body }) => order.sentBody!(decoder.decode(body)) }),
      place,
      digestBody: async () => {
        const text = isBrief(order.input) ? canonicalJson(order.input) : null
        place.bodyDigest = text === null ? null : hash('sha256', text, 'base64')
      },
      ...(order.as && { as: order.as }),
      idempotencyKey: order.idempotencyKey ?? null,
      acquisition: order.acquisition ?? null,
      clientAddress: order.clientAddress,
      signal: order.signal,
      client: order.client,
      read: () => inputOf(order),
      parts: async () => null,
    }
    const leave = this.#deps.enter(mounted)
    try {
      const outcome = await this.#deps.meter.run(call)
      this.#deps.observe(call, outcome, startedAt)
      return resultOf(outcome, requestId)
    } finally {
      leave()
    }
  }
}

/** A tool may ask for more than its skill does (`extract.webpage`: a url); the skill's schema follows. */
async function inputOf({ tool, input }: ToolCallOrder): Promise<ReadOutcome> {
  if (!tool.input) return { ok: true, input }
  const schema = compileSchema(tool.input)
  return schema.check(input) ? { ok: true, input } : badInput(schema, input)
}

function resultOf(outcome: MeterOutcome, requestId: string): CallOutcome {
  if (outcome.kind === 'failure') {
    const { failure, offers, fresh, rail, receipt, balanceAtomic, pending = false } = outcome
    const metas = fresh.flatMap(({ part }) => part.meta ?? [])
    return {
      ok: false,
      requestId,
      failure,
      offers: offers.map((offer) => offerFor(offer, fresh)),
      pending,
      ...(metas.length > 0 && { offerMeta: Object.assign({}, ...metas.toReversed()) }),
      ...(rail !== null && { rail }),
      ...(receipt && { receipt }),
      ...(balanceAtomic !== undefined && { balanceAtomic }),
    }
  }
  if (outcome.kind === 'stream') {
    // A tool call reads JSON input, which never takes the streaming path.
    throw new Error('A tool call ended in a stream')
  }
  const { answer, receipt, replayed } = outcome
  const json = decoder.decode(answer.body)
  return { ok: true, requestId, status: answer.status, json, receipt, replayed }
}
