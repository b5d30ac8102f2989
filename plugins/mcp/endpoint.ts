/**
 * POST /mcp: origin → body → message → era → credentials → method. Stateless: every request stands
 * alone, whichever instance gets it.
 */
import type { Caller, Catalog, Failure, RouteRequest } from '#kernel'
import { roundedIn } from '../shared/exact-numbers.ts'
import type { McpOrder, Naming } from '../shared/mcp/contract.ts'
import { answerBatch, checkBatch } from './batch.ts'
import { classify } from './classify.ts'
import type { Dispatch, Dispatched } from './dispatch.ts'
import { credentialsOf, presentsKey, type Exchange } from './exchange.ts'
import { shapeOf } from './message.ts'
import { progressTokenOf } from './client.ts'
import { CODE, isObject, type Era, type RpcError, type RpcId, type RpcRequest } from './protocol.ts'
import { Questions } from './questions.ts'
import { Refused } from './refused.ts'
import { responseText } from './reply.ts'
import { acceptsEvents, sseResponse } from './sse.ts'
import type { Surfaces } from './surface.ts'
import { Talk } from './talk.ts'

export interface EndpointDeps {
  catalog: Catalog
  calls: Caller
  surfaces: Surfaces
  dispatch: Readonly<Record<Era, Dispatch>>
  isAllowedOrigin(origin: string | null): boolean
  /** As the product's file says; null: nothing. */
  configuredNames: Naming | null
}

/** One POST, and for whom it is answered. */
type Place = Pick<Exchange, 'http' | 'naming' | 'order' | 'rounded'>

export class Endpoint {
  readonly #deps: EndpointDeps
  readonly #questions = new Questions()

  constructor(deps: EndpointDeps) {
    this.#deps = deps
  }

  /** The HTTP answer to one POST; with `order` for a caller that another plugin has identified. */
  async handle(http: RouteRequest, order: McpOrder | null = null): Promise<Response> {
    const { headers } = http.request
    const origin = headers.get('origin')
    if (!this.#deps.isAllowedOrigin(origin))
      return errorAnswer(403, null, invalidRequest('This origin may not call the endpoint'))
    const naming = this.#namingOf(http, order)
    if (naming === null)
      return errorAnswer(400, null, invalidRequest('names must be "dotted" or "underscore"'))
    const body = await http.bytes()
    if (!(body instanceof Uint8Array)) return bodyRefused(body, http.requestId)
    const parsed = await http.json()
    if (!parsed.ok)
      return errorAnswer(400, null, {
        code: CODE.parseError,
        message: `Parse error: the body ${reasonOf(parsed)}`,
      })
    const rounded = roundedIn(body)
    const place = { http, naming, order, rounded }
    if (Array.isArray(parsed.value)) return this.#batch(parsed.value, place)
    const shape = shapeOf(parsed.value)
    switch (shape.kind) {
      case 'invalid':
        return errorAnswer(400, shape.id, shape.error)
      // Nothing that has no id is ever run: nobody could be told what it did or cost.
      case 'notification':
        return new Response(null, { status: 202 })
      case 'response':
        this.#questions.settle(shape.response)
        return new Response(null, { status: 202 })
      case 'request':
        return this.#single(shape.request, place)
    }
  }

  async #single(request: RpcRequest, place: Place): Promise<Response> {
    const { http } = place
    const classified = classify(request, http.request.headers)
    if (!classified.ok) return errorAnswer(400, request.id, classified.error)
    const { era, meta } = classified
    const exchange: Exchange = { ...this.#exchange(place), era, meta }
    const unpaid = refusedPaid(exchange, [request])
    if (unpaid) return unpaid
    if (request.method !== 'tools/call' || !acceptsEvents(http.request.headers)) {
      // A call meets its own credential check; no other method would ever look at the key.
      const refused = request.method === 'tools/call' ? null : await this.#checkKey(exchange)
      if (refused) return refusedAnswer(request.id, refused)
      return answerOf(era, request.id, await this.#deps.dispatch[era](request, exchange))
    }
    return this.#callWithStream(request, exchange)
  }

  /** A stream from the start for a client that wants progress, else from the first word of the tool. */
  async #callWithStream(request: RpcRequest, exchange: Exchange): Promise<Response> {
    const { era, http, meta } = exchange
    const wantsProgress = progressTokenOf(meta) !== null
    const refused = wantsProgress ? await this.#checkKey(exchange) : null
    if (refused) return refusedAnswer(request.id, refused)
    const talk = new Talk(this.#questions)
    const left = new AbortController()
    const signal = AbortSignal.any([http.signal, left.signal])
    const work = this.#deps.dispatch[era](request, { ...exchange, talk, signal })
    const isStream = wantsProgress || (await isFirst(talk.began, work))
    if (!isStream) return answerOf(era, request.id, await work)
    const last = work.then((outcome) => messageOf(request.id, outcome))
    return sseResponse(talk, last, () => left.abort())
  }

  async #batch(messages: unknown[], place: Place): Promise<Response> {
    const { http } = place
    const { headers } = http.request
    const problem = checkBatch(messages, headers)
    if (problem) return errorAnswer(400, null, invalidRequest(problem))
    const exchange = this.#exchange(place)
    const refused = await this.#checkKey(exchange)
    if (refused) return refusedAnswer(null, refused)
    const unpaid = refusedPaid(exchange, messages)
    if (unpaid) return unpaid
    const answers = await answerBatch(messages, http, async (request, batchIndex, meta) => {
      const one: Exchange = { ...exchange, meta, batchIndex }
      return messageOf(request.id, await this.#deps.dispatch.legacy(request, one))
    })
    if (answers.length === 0) return new Response(null, { status: 202 })
    return jsonAnswer(200, `[${answers.join(',')}]`)
  }

  #exchange({ http, naming, order, rounded }: Place): Exchange {
    return {
      era: 'legacy',
      meta: {},
      http,
      naming,
      order,
      rounded,
      surface: this.#deps.surfaces.of(this.#deps.catalog.current()),
      batchIndex: null,
      signal: http.signal,
      talk: null,
    }
  }

  async #checkKey(exchange: Exchange): Promise<Refused | null> {
    const { http, order } = exchange
    if (order !== null || !presentsKey(http.request.headers)) return null
    const found = await this.#deps.calls.identify(credentialsOf(exchange))
    return found.ok ? null : new Refused(found, http.requestId)
  }

  #namingOf({ query }: RouteRequest, order: McpOrder | null): Naming | null {
    const names = query.get('names')
    if (names === null) return this.#deps.configuredNames ?? order?.defaultNames ?? 'dotted'
    return names === 'dotted' || names === 'underscore' ? names : null
  }
}

/** What `order` says to the first of these that calls a paid tool; null: go on. */
function refusedPaid({ surface, order }: Exchange, messages: readonly unknown[]): Response | null {
  if (!order?.refusePaid) return null
  const isPaid = messages.some((message) => {
    if (!isObject(message) || message['method'] !== 'tools/call') return false
    const { params } = message
    const name = isObject(params) ? params['name'] : undefined
    const found = typeof name === 'string' ? surface.snapshot.tool(name) : null
    return found !== null && found.mounted.metered && found.mounted.amountAtomic > 0n
  })
  return isPaid ? order.refusePaid() : null
}

/** Whether `began` came before `work` ended. */
function isFirst(began: Promise<void>, work: Promise<unknown>): Promise<boolean> {
  return Promise.race([began.then(() => true), work.then(() => false)])
}

/** The JSON text of the response message. */
function messageOf(id: RpcId, outcome: Dispatched): string {
  return responseText(id, outcome.ok ? outcome.reply : outcome.error)
}

function answerOf(era: Era, id: RpcId, outcome: Dispatched): Response {
  if (outcome.ok) return jsonAnswer(200, messageOf(id, outcome))
  if (outcome.refused) return refusedAnswer(id, outcome.refused)
  return errorAnswer(statusOf(era, outcome.error.code), id, outcome.error)
}

/** The old era answers every request it understood with 200. */
function statusOf(era: Era, code: number): number {
  if (era === 'legacy') return 200
  if (code === CODE.methodNotFound) return 404
  return code === CODE.missingCapability || code === CODE.headerMismatch ? 400 : 200
}

function refusedAnswer(id: RpcId | null, refused: Refused): Response {
  const { code, message, data, status, headers } = refused
  return errorAnswer(status, id, { code, message, data }, headers)
}

function bodyRefused(failure: Failure, requestId: string): Response {
  if (failure.code === 'INVALID_INPUT')
    return errorAnswer(failure.status ?? 400, null, invalidRequest(failure.message))
  return refusedAnswer(null, new Refused(failure, requestId))
}

function errorAnswer(
  status: number,
  id: RpcId | null,
  error: RpcError,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return jsonAnswer(status, responseText(id, error), headers)
}

function jsonAnswer(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } })
}

function invalidRequest(message: string): RpcError {
  return { code: CODE.invalidRequest, message: `Invalid request: ${message}` }
}

/** The kernel's parser says which rule the bytes broke; never what they held. */
function reasonOf(failure: Failure): string {
  const issues = failure.details?.['issues'] as { message: string }[] | undefined
  return issues?.[0]?.message ?? 'must be JSON'
}
