/**
 * Skills and prompts that need answers before they can go on. 2026-07-28 takes the questions as a
 * result and calls again with the answers (SEP-2322); older clients are asked on the stream.
 */
import { INPUT_REQUIRED, type Failure, type InputRequest, type Vault } from '#kernel'
import type { Answered } from './client.ts'
import type { Exchange } from './exchange.ts'
import { CODE, isObject, META, ProtocolError, type Json } from './protocol.ts'
import { Reply, type ServerInfo } from './reply.ts'

/** The client capability that each question needs. */
const NEEDS: Readonly<Record<InputRequest['method'], string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}
/** A client that comes back later starts anew. */
const STATE_TTL_MS = 3_600_000

/** Names the tool or prompt and its caller: nobody else goes on with what they were asked. */
export type Subject = () => Promise<string>

export interface Wanted {
  requests: Readonly<Record<string, InputRequest>>
  state: string | null
}

/** What a failure asks for; null for every other failure. */
export function wantedBy(failure: Failure): Wanted | null {
  const { details } = failure
  if (details?.['reason'] !== INPUT_REQUIRED) return null
  const { requests, state } = details as { requests: Wanted['requests']; state?: string }
  return { requests, state: state ?? null }
}

export class InputRequired {
  readonly #vault: Vault
  readonly #info: ServerInfo

  constructor(vault: Vault, info: ServerInfo) {
    this.#vault = vault
    this.#info = info
  }

  /** The answers that came with a request. Throws −32602 for a state that we did not give out. */
  async answersIn(params: Json | undefined, subject: Subject): Promise<Answered> {
    const responses = params?.['inputResponses']
    const sealed = params?.['requestState']
    const answers = isObject(responses) ? responses : {}
    if (sealed === undefined) return { answers, state: null }
    return { answers, state: await this.#opened(sealed, await subject()) }
  }

  /** The result that carries the questions. Throws −32021 for what the client cannot answer. */
  async reply({ requests, state }: Wanted, exchange: Exchange, subject: Subject): Promise<Reply> {
    const declared = exchange.meta[META.clientCapabilities]
    const missing = Object.values(requests)
      .map(({ method }) => NEEDS[method])
      .filter((name) => !isObject(declared) || declared[name] === undefined)
    if (missing.length > 0)
      throw new ProtocolError(
        CODE.missingCapability,
        `This needs a client with ${missing.join(', ')}`,
        { requiredCapabilities: Object.fromEntries(missing.map((name) => [name, {}])) },
      )
    const requestState = state === null ? undefined : await this.#sealed(state, await subject())
    return new Reply(
      JSON.stringify({
        resultType: 'input_required',
        inputRequests: requests,
        ...(requestState !== undefined && { requestState }),
        _meta: { [META.serverInfo]: this.#info },
      }),
    )
  }

  #sealed(state: string, subject: string): Promise<string> {
    return this.#vault.seal(JSON.stringify({ subject, state, until: Date.now() + STATE_TTL_MS }))
  }

  async #opened(sealed: unknown, subject: string): Promise<string> {
    const opened = typeof sealed === 'string' ? await this.#open(sealed) : null
    if (opened?.['subject'] === subject && Number(opened['until']) > Date.now())
      return String(opened['state'])
    throw new ProtocolError(
      CODE.invalidParams,
      'Invalid params: requestState is not one of this call and caller, or it is too old: start the call anew',
    )
  }

  async #open(sealed: string): Promise<Json | null> {
    try {
      return JSON.parse(await this.#vault.open(sealed)) as Json
    } catch {
      return null
    }
  }
}
