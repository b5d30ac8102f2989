/** tools/call: the named tool through the same metered path as HTTP. */
import {
  acquisitionOf,
  fail,
  KERNEL_REASONS,
  type CallOutcome,
  type Caller,
  type Failure,
  type MountedSkill,
  type SkillTool,
} from '#kernel'
import { keepDigits, type Rounded } from '../shared/exact-numbers.ts'
import { withoutAbsent } from './absent-members.ts'
import { askAll } from './ask.ts'
import { capabilitiesIn, clientOf, type Answered } from './client.ts'
import { credentialsOf, presentsKey, type Exchange } from './exchange.ts'
import { idempotencyKeyOf } from './idempotency.ts'
import { wantedBy, type InputRequired, type Subject } from './input-required.ts'
import { checkParamHeaders } from './param-headers.ts'
import { CODE, isObject, ProtocolError, type Json } from './protocol.ts'
import { Refused } from './refused.ts'
import type { Reply, ServerInfo } from './reply.ts'
import { toolResult } from './results.ts'
import { signedBody } from './signed-body.ts'

export interface CallDeps {
  calls: Caller
  info: ServerInfo
  input: InputRequired
}
interface ToolCall {
  mounted: MountedSkill
  tool: SkillTool
  input: Json
  requestId: string
  idempotencyKey: string | undefined
}
type Failed = Extract<CallOutcome, { ok: false }>

/** A tool that keeps asking is stopped. */
const MAX_ROUNDS = 10

/** The tool's result. Throws −32602 for an unknown tool or malformed params, 401 for a wrong key. */
export async function callTool(
  deps: CallDeps,
  params: Json | undefined,
  exchange: Exchange,
): Promise<Reply> {
  const { mounted, tool, input: given } = toolIn(params, exchange)
  const schema = tool.input ?? mounted.skill.input
  if (exchange.era === 'modern') {
    const mismatch = checkParamHeaders(schema, given, exchange.http.request.headers)
    if (mismatch) throw new ProtocolError(CODE.headerMismatch, mismatch)
  }
  const input = withoutAbsent(schema, given)
  keepDigits(input, roundedArguments(exchange))
  const subject = subjectOf(deps.calls, exchange, `tool ${tool.name}`)
  const answered = await deps.input.answersIn(params, subject)
  const requestId = requestIdOf(exchange)
  const idempotencyKey = idempotencyKeyOf(exchange)
  const place = { era: exchange.era, info: deps.info, capabilities: capabilitiesIn(exchange) }
  const result = (outcome: CallOutcome): Reply => toolResult(place, mounted, outcome)
  if (isFailure(idempotencyKey)) return result(failed(requestId, idempotencyKey))

  const call: ToolCall = { mounted, tool, input, requestId, idempotencyKey }
  let outcome = await run(deps.calls, call, exchange, answered)
  for (let round = 1; !outcome.ok; round++) {
    const wanted = wantedBy(outcome.failure)
    if (!wanted) break
    if (exchange.era === 'modern') return deps.input.reply(wanted, exchange, subject)
    const got = round > MAX_ROUNDS ? tooManyRounds() : await askAll(wanted.requests, exchange)
    outcome = got.ok
      ? await run(deps.calls, call, exchange, { answers: got.answers, state: wanted.state })
      : failed(requestId, got)
  }
  if (!outcome.ok && isWrongKey(outcome.failure) && presentsKey(exchange.http.request.headers))
    throw new Refused(outcome.failure, requestId)
  return result(outcome)
}

/** Those of the exchange's numbers that stand in the arguments, from there. */
function roundedArguments({ rounded, batchIndex }: Exchange): Rounded[] {
  const at = [...(batchIndex === null ? [] : [String(batchIndex)]), 'params', 'arguments']
  return rounded
    .filter(({ keys }) => at.every((key, index) => keys[index] === key))
    .map(({ keys, digits }) => ({ keys: keys.slice(at.length), digits }))
}

/** What a state belongs to, by the key of the caller; throws 401 for a wrong key. */
export function subjectOf(calls: Caller, exchange: Exchange, called: string): Subject {
  return async () => {
    if (exchange.order !== null) return `${called} of ${exchange.order.as.keyId}`
    const found = await calls.identify(credentialsOf(exchange))
    if (!found.ok) throw new Refused(found, requestIdOf(exchange))
    return `${called} of ${found.keyId ?? 'no key'}`
  }
}

function toolIn(
  params: Json | undefined,
  { surface }: Exchange,
): { mounted: MountedSkill; tool: SkillTool; input: Json } {
  const name = params?.['name']
  if (typeof name !== 'string')
    throw new ProtocolError(CODE.invalidParams, 'Invalid params: name must be a string')
  const input = params?.['arguments'] ?? {}
  if (!isObject(input))
    throw new ProtocolError(CODE.invalidParams, 'Invalid params: arguments must be an object')
  const found = surface.snapshot.tool(name)
  if (found) return { ...found, input }
  throw new ProtocolError(
    CODE.invalidParams,
    `Unknown tool: ${name.slice(0, 128)}. tools/list names all of them`,
  )
}

function run(
  calls: Caller,
  { mounted, tool, input, requestId, idempotencyKey }: ToolCall,
  exchange: Exchange,
  answered: Answered,
): Promise<CallOutcome> {
  const { http, signal } = exchange
  return calls.callTool({
    mounted,
    tool,
    input,
    requestId,
    idempotencyKey,
    sentBody: (json) => signedBody(mounted.skill, json),
    credentials: credentialsOf(exchange),
    ...(exchange.order !== null && { as: exchange.order.as }),
    acquisition: acquisitionOf(http.request.headers.get('x-kernel-acquisition')) ?? undefined,
    clientAddress: http.clientAddress,
    signal,
    client: clientOf(exchange, answered),
  })
}

/** The request's own id; inside a batch each call needs one of its own. */
function requestIdOf({ http, batchIndex }: Exchange): string {
  return batchIndex === null ? http.requestId : `${http.requestId}.${batchIndex}`
}

function failed(requestId: string, failure: Failure): Failed {
  return { ok: false, requestId, failure, offers: [], pending: false }
}

function tooManyRounds(): Failure {
  return fail('PROCESSING_FAILURE', `The tool asked more than ${MAX_ROUNDS} times`)
}

/** A tool may answer 401 for reasons of its own, such as a signature: a result like any other. */
function isWrongKey({ status, details }: Failure): boolean {
  const reason = details?.reason
  return (
    status === 401 &&
    (reason === KERNEL_REASONS.invalid_key || reason === KERNEL_REASONS.key_expired)
  )
}

function isFailure(value: string | undefined | Failure): value is Failure {
  return typeof value === 'object'
}
