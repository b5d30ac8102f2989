/** A request to a skill as metering sees it: what it costs to read is read when it is asked for. */
import { GatewayError, type Failure } from '../errors.ts'
import type { MeterCall, ReadOutcome } from '../metering/call.ts'
import type { MountedSkill } from '../metering/contract.ts'
import type { HttpParts } from '../plugins/contract.ts'
import type { Match } from '../products/snapshot.ts'
import type { CredentialSource, Quote } from '../rails/contract.ts'
import { fingerprintOf } from '../schema/json.ts'
import { isRefused, readBody, tooLarge } from './body.ts'
import type { Incoming } from './incoming.ts'
import { inputOf, withoutCredentials } from './input.ts'
import { acquisitionOf, httpSource } from './source.ts'

export type SkillMatch = Extract<Match, { kind: 'skill' }>

/** Streamed bodies up to this size are buffered, so that a payment is bound to their bytes. */
const FINGERPRINT_BYTES = 1_048_576

const NO_CREDENTIALS: CredentialSource = { header: () => null }

export class HttpCall implements MeterCall {
  readonly request: Request
  readonly mounted: MountedSkill
  readonly quote: Quote
  readonly requestId: string
  readonly source: CredentialSource
  readonly idempotencyKey: string | null
  readonly acquisition: string | null
  readonly #match: SkillMatch
  readonly #incoming: Incoming
  #parts: Promise<HttpParts | Failure> | null = null

  constructor(match: SkillMatch, incoming: Incoming, quote: Quote, idempotencyKey: string | null) {
    const { request, headers } = incoming
    this.request = request
    this.mounted = match.mounted
    this.quote = quote
    this.requestId = incoming.requestId
    // HEAD asks what a call would cost and never pays for an answer it cannot carry.
    const isProbe = request.method === 'HEAD' && match.mounted.metered
    this.source = isProbe ? NO_CREDENTIALS : httpSource(headers)
    this.idempotencyKey = idempotencyKey
    this.acquisition = acquisitionOf(headers.get('x-kernel-acquisition'))
    this.#match = match
    this.#incoming = incoming
  }

  get clientAddress(): string {
    return this.#incoming.clientAddress
  }

  get signal(): AbortSignal {
    return this.request.signal
  }

  parts(): Promise<HttpParts | Failure> {
    return (this.#parts ??= this.#readParts())
  }

  async read(): Promise<ReadOutcome> {
    const { skill } = this.mounted
    if (skill.forward) return readForward(this.mounted, this.#match.subPath, this.#incoming)
    const read = await this.parts()
    return 'ok' in read ? read : inputOf(skill, read)
  }

  async #readParts(): Promise<HttpParts | Failure> {
    const body = await readBody(this.request, this.mounted.limits.bodyBytes)
    if (isRefused(body)) return body
    return new ReadParts(this.#incoming, this.#match.params, body)
  }
}

class ReadParts implements HttpParts {
  readonly method: string
  readonly params: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly #incoming: Incoming
  #query: URLSearchParams | null = null
  #headers: Headers | null = null

  constructor(incoming: Incoming, params: Readonly<Record<string, string>>, body: Uint8Array) {
    this.method = incoming.request.method
    this.params = params
    this.body = body
    this.#incoming = incoming
  }

  get query(): URLSearchParams {
    return (this.#query ??= new URLSearchParams(this.#incoming.search))
  }

  get headers(): Headers {
    return (this.#headers ??= withoutCredentials(this.#incoming.headers))
  }
}

/** The request as a forwarding skill streams it; small bodies are buffered and fingerprinted. */
async function readForward(
  mounted: MountedSkill,
  subPath: string,
  incoming: Incoming,
): Promise<ReadOutcome> {
  const { request, pathname, search, clientAddress } = incoming
  const declared = request.headers.get('content-length')
  const limitBytes = mounted.limits.bodyBytes
  if (declared !== null && Number(declared) > limitBytes) return tooLarge(limitBytes)
  let body = request.body
  let digest: Uint8Array | string = `stream:${declared ?? 'chunked'}`
  if (body && declared !== null && Number(declared) <= FINGERPRINT_BYTES) {
    const bytes = await request.bytes()
    digest = bytes
    body = new Response(bytes).body
  }
  return {
    ok: true,
    forward: {
      method: request.method,
      path: subPath,
      search,
      headers: withoutCredentials(request.headers),
      body: body && declared === null ? body.pipeThrough(limited(limitBytes)) : body,
      clientAddress,
    },
    fingerprint: fingerprintOf(mounted.skill.id, request.method, pathname, search, digest),
  }
}

function limited(limitBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let sizeBytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      sizeBytes += chunk.byteLength
      if (sizeBytes > limitBytes) controller.error(new GatewayError(tooLarge(limitBytes)))
      else controller.enqueue(chunk)
    },
  })
}
