/**
 * Runs a plugin's functions for a skill: `identify`, `check` and the work. Each runs under the
 * skill's deadline and the caller's abort; a throw or a result that breaks the contract becomes a
 * Failure here, before anything is charged.
 */
import { fail, GatewayError, type Failure, ERROR_TABLE } from '../errors.ts'
import { poolOf } from '../jobs/contract.ts'
import type { Logger } from '../log/logger.ts'
import type { MountedSkill } from '../plugins/catalog.ts'
import type {
  AnswerSource,
  CallerView,
  ForwardRequest,
  HttpParts,
  Result,
  Skill,
  SkillContext,
  SkillIdentity,
  ForwardSuccess,
  Success,
} from '../plugins/skill.ts'
import type { ClientView } from '../plugins/mcp-contract.ts'
import type { StoredAnswer } from '../rails/contract.ts'
import { REASONS } from '../reasons.ts'
import { compileSchema, isObject } from '../schema/json.ts'
import { withinUnlessAborted } from '../work/timeout.ts'
import { CALLER_LEFT } from './observe-call.ts'

const encoder = new TextEncoder()

/** The call that a skill runs for. */
export interface SkillCall {
  requestId: string
  caller: CallerView
  /** The caller's signal; null if the work outlives its caller. */
  signal: AbortSignal | null
  client?: ClientView
}

/** Input that passed the schema, or a request to stream through. */
export type WorkInput = { input: unknown } | { forward: ForwardRequest }

/** A finished piece of work: an answer in memory, or an upstream's stream. */
export type Worked =
  | {
      ok: true
      kind: 'answer'
      answer: StoredAnswer
      bill: NonNullable<Success<unknown>['bill']>
      /** The answer that units are read from, if it is not this one. */
      source?: AnswerSource
    }
  | { ok: true; kind: 'stream'; response: Response; bill: 'capture' | 'release' }

/**
 * The skill's answer, or why there is none: its own Failure, TIMEOUT at the deadline,
 * INTERNAL_ERROR for a throw or an output that breaks its schema.
 */
export async function runSkill(
  mounted: MountedSkill,
  input: WorkInput,
  call: SkillCall,
): Promise<Worked | Failure> {
  const { skill, env } = mounted
  if ('forward' in input) {
    const given = await run(mounted, call, async (ctx) => skill.forward!(ctx, input.forward))
    const forwarded = forwardedOf(given, env.log, skill.id)
    if (!forwarded.ok) return forwarded
    const { response } = forwarded
    return { ok: true, kind: 'stream', response, bill: response.ok ? 'capture' : 'release' }
  }
  const given = await run(mounted, call, async (ctx) => skill.handler(ctx, input.input))
  const result = resultOf(given, env.log, skill.id)
  return result.ok ? encodeResult(env.log, skill, result) : result
}

/** The refusal of the skill's cheap check of a valid input; null if it passes. */
export async function checkInput(
  mounted: MountedSkill,
  input: unknown,
  call: SkillCall,
): Promise<Failure | null> {
  const { skill, env } = mounted
  if (!skill.check) return null
  const ending = new Ending()
  let checking: ReturnType<typeof skill.check>
  try {
    checking = skill.check(skillContext(mounted, call, ending), input)
  } catch (error) {
    checking = failureOf(error, env.log)
  }
  const refused =
    checking instanceof Promise ? await withinLimits(mounted, call, ending, checking) : checking
  return refused === undefined || refused === null ? null : refusalOf(refused, env.log, skill.id)
}

/** The identity proven by the skill's own credential; null if the call has none. */
export async function identifyBySkill(
  mounted: MountedSkill,
  parts: HttpParts,
  call: SkillCall,
): Promise<SkillIdentity | Failure | null> {
  const { skill, env } = mounted
  const own = await run(mounted, call, async (ctx) => skill.identify!(ctx, parts))
  if (own === null || own === undefined) return null
  return own.ok ? own : refusalOf(own, env.log, skill.id)
}

function run<T>(
  mounted: MountedSkill,
  call: SkillCall,
  work: (ctx: SkillContext) => Promise<T | Failure>,
): Promise<T | Failure> {
  // If the caller hung up during the payment, the work does not start.
  if (call.signal?.aborted) return Promise.resolve(callerGone())
  const ending = new Ending()
  return withinLimits(mounted, call, ending, work(skillContext(mounted, call, ending)))
}

function skillContext(
  mounted: MountedSkill,
  call: Omit<SkillCall, 'signal'>,
  /** Its signal is created only if the skill reads it. */
  ending: { readonly signal: AbortSignal },
): SkillContext {
  const { env, limits } = mounted
  return {
    config: env.config,
    timeoutMs: limits.timeoutMs,
    requestId: call.requestId,
    get signal() {
      return ending.signal
    },
    caller: call.caller,
    log: env.log,
    fetch: (url, init) => env.fetch(url, { ...init, signal: init?.signal ?? ending.signal }),
    get jobs() {
      return poolOf(env.jobs, call.caller.share)
    },
    db: env.db,
    progress: (report) => call.client?.progress(report),
    client: call.client ?? null,
    now: env.now,
  }
}

/**
 * What `work` returned, TIMEOUT (503) at the deadline, or a caller-gone failure when the caller of
 * `call` aborts (null: the work outlives its caller). Returns at once in both cases, even if the
 * skill ignores the signal of `ending`.
 */
async function withinLimits<T>(
  { limits: { timeoutMs }, env: { log } }: MountedSkill,
  call: SkillCall,
  ending: Ending,
  work: Promise<T | Failure>,
): Promise<T | Failure> {
  const timedOut = (): Failure => {
    ending.abort(new DOMException('The skill ran out of time', 'TimeoutError'))
    return fail('TIMEOUT', `The skill did not finish within ${timeoutMs} ms; nothing was charged`)
  }
  const callerLeft = (): Failure => {
    ending.abort(new DOMException('The caller went away', 'AbortError'))
    return callerGone()
  }
  try {
    return await withinUnlessAborted(
      work,
      { timeoutMs, late: timedOut },
      { signal: call.signal, aborted: callerLeft },
    )
  } catch (error) {
    return failureOf(error, log)
  }
}

/** The failure that a skill's throw stands for. */
function failureOf(thrown: unknown, log: Logger): Failure {
  if (thrown instanceof GatewayError) return thrown.failure
  log.error({ err: thrown }, 'skill threw')
  return fail('INTERNAL_ERROR', 'The skill failed unexpectedly; nothing was charged')
}

/** Aborts a skill's work; the signal is created lazily because most skills never read it. */
class Ending {
  #controller: AbortController | null = null
  #reason: DOMException | null = null

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController()
      if (this.#reason) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  abort(reason: DOMException): void {
    this.#reason = reason
    this.#controller?.abort(reason)
  }
}

/** The failure of a call whose caller hung up; only the log and the figures show it. */
function callerGone(): Failure {
  return fail('TIMEOUT', 'The caller went away; nothing was charged', {
    status: CALLER_LEFT,
    details: { reason: REASONS.aborted },
  })
}

function encodeResult(
  log: Logger,
  skill: Pick<Skill, 'id' | 'output'>,
  result: Extract<Result<unknown>, { ok: true }>,
): Worked | Failure {
  let text: string | undefined
  try {
    const schema = compileSchema(skill.output)
    if (!schema.check(result.output)) {
      log.error(
        { skill: skill.id, issues: schema.issues(result.output) },
        'skill output does not match its schema',
      )
      return fail(
        'INTERNAL_ERROR',
        'The skill gave an answer that does not match its schema; nothing was charged',
      )
    }
    text = result.json ?? JSON.stringify(result.output ?? null)
  } catch (error) {
    log.error({ err: error, skill: skill.id }, 'skill output cannot be read')
  }
  if (text === undefined)
    return fail('INTERNAL_ERROR', 'The skill gave an answer that is not JSON; nothing was charged')
  const { bill = 'capture', source, status = 200 } = result
  const headers = { 'content-type': 'application/json' }
  const answer: StoredAnswer = { status, headers, body: encoder.encode(text) }
  return { ok: true, kind: 'answer', answer, bill, ...(source && { source }) }
}

/** The value if it is a valid Result, else INTERNAL_ERROR with the reason in the log. */
export function resultOf(value: unknown, log: Logger, skill: string): Result<unknown> {
  const wrong = isOk(value) ? successProblem(value) : failureProblem(value)
  return unlessBroken<Result<unknown>>(value, wrong, log, skill)
}

/** The result of `forward`, or INTERNAL_ERROR with the reason in the log. */
function forwardedOf(value: unknown, log: Logger, skill: string): ForwardSuccess | Failure {
  const wrong = isOk(value) ? responseProblem(value['response']) : failureProblem(value)
  return unlessBroken<ForwardSuccess | Failure>(value, wrong, log, skill)
}

/** The refusal of `check` or `identify`, or INTERNAL_ERROR with the reason in the log. */
export function refusalOf(value: unknown, log: Logger, skill: string): Failure {
  return unlessBroken<Failure>(value, failureProblem(value), log, skill)
}

function unlessBroken<T>(
  value: unknown,
  wrong: string | null,
  log: Logger,
  skill: string,
): T | Failure {
  if (wrong === null) return value as T
  log.error({ skill, problem: wrong }, 'skill returned no result of the contract')
  return fail('INTERNAL_ERROR', 'The skill returned no result; nothing was charged')
}

function isOk(value: unknown): value is Record<string, unknown> {
  return isObject(value) && value['ok'] === true
}

function successProblem({
  status,
  bill,
  source,
  json = '',
}: Record<string, unknown>): string | null {
  const isFree = bill === 'release' && isStatus(status, 400, 599)
  if (status !== undefined && !isStatus(status, 200, 299) && !isFree)
    return "status must be 200 to 299, or with bill 'release' 400 to 599"
  if (source !== undefined && !isAnswerSource(source)) return 'source must be { headers, body }'
  if (typeof json !== 'string') return 'json must be a text'
  if (bill === undefined || bill === 'capture' || bill === 'release') return null
  // Any number passes here: one that is not a valid measure is charged as missing.
  if (isObject(bill) && isUnits(bill['units'])) return null
  if (!isObject(bill) || typeof bill['amountAtomic'] !== 'bigint')
    return "bill must be 'capture', 'release', { units } with numbers, or { amountAtomic } with a bigint"
  return bill['amountAtomic'] < 0n ? 'bill.amountAtomic must not be negative' : null
}

function isUnits(units: unknown): boolean {
  const isCount = (one: unknown) => typeof one === 'number' || typeof one === 'bigint'
  return isCount(units) || (isObject(units) && Object.values(units).every(isCount))
}

function isAnswerSource(source: unknown): boolean {
  return (
    isObject(source) && source['headers'] instanceof Headers && source['body'] instanceof Uint8Array
  )
}

function responseProblem(response: unknown): string | null {
  if (!(response instanceof Response)) return 'response must be a Response'
  if (!isStatus(response.status, 200, 599)) return 'response must have a status of 200 to 599'
  return response.bodyUsed ? 'the body of response was read already' : null
}

function failureProblem(value: unknown): string | null {
  if (!isObject(value) || value['ok'] !== false) return 'ok must be true or false'
  const { code, message, status, details, headers } = value
  if (typeof code !== 'string' || !Object.hasOwn(ERROR_TABLE, code)) return 'code is unknown'
  if (typeof message !== 'string') return 'message must be a text'
  if (status !== undefined && !isStatus(status, 400, 599)) return 'status must be 400 to 599'
  try {
    if (details !== undefined) JSON.stringify(details)
    void new Headers(headers as Record<string, string> | undefined)
  } catch (error) {
    return `details or headers cannot be sent: ${String(error).slice(0, 200)}`
  }
  return null
}

function isStatus(value: unknown, from: number, to: number): boolean {
  return Number.isInteger(value) && (value as number) >= from && (value as number) <= to
}
