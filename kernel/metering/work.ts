/** Runs the skill of a call and turns its result into an answer in memory or a stream. */
import { fail, type Failure } from '../errors.ts'
import type {
  CallerView,
  ForwardRequest,
  Result,
  Skill,
  SkillContext,
} from '../plugins/contract.ts'
import type { Logger } from '../log/logger.ts'
import type { ClientView } from '../plugins/mcp-contract.ts'
import type { StoredAnswer } from '../rails/contract.ts'
import { compileSchema } from '../schema/validator.ts'
import { skillContext } from './context.ts'
import type { MountedSkill } from '../plugins/catalog.ts'
import { forwardedOf, resultOf } from './result.ts'
import { runWork } from './run.ts'

const encoder = new TextEncoder()

/** Input that passed the schema, or a request to stream through. */
export type WorkInput = { input: unknown } | { forward: ForwardRequest }

/** A finished piece of work: an answer in memory, or an upstream's stream. */
export type Worked =
  | {
      ok: true
      kind: 'answer'
      answer: StoredAnswer
      bill: 'capture' | 'release' | { amountAtomic: bigint; ledgerId?: string }
    }
  | { ok: true; kind: 'stream'; response: Response; bill: 'capture' | 'release' }

/**
 * The skill's answer, or why there is none: its own Failure, TIMEOUT at the deadline,
 * INTERNAL_ERROR for a throw or an output that breaks its schema.
 */
export async function workOf(
  mounted: MountedSkill,
  input: WorkInput,
  call: {
    requestId: string
    caller: CallerView
    /** The caller's; null when the work outlives its caller. */
    signal: AbortSignal | null
    client?: ClientView
  },
): Promise<Worked | Failure> {
  const { skill, limits, env } = mounted
  const contextOf = (signal: AbortSignal): SkillContext =>
    skillContext(mounted, { ...call, signal })
  if ('forward' in input) {
    const forwarded = forwardedOf(
      await runWork(
        async (signal) => skill.forward!(contextOf(signal), input.forward),
        limits.timeoutMs,
        call.signal,
        env.log,
      ),
      env.log,
      skill.id,
    )
    if (!forwarded.ok) return forwarded
    const { response } = forwarded
    return { ok: true, kind: 'stream', response, bill: response.ok ? 'capture' : 'release' }
  }
  const result = resultOf(
    await runWork(
      async (signal) => skill.handler(contextOf(signal), input.input),
      limits.timeoutMs,
      call.signal,
      env.log,
    ),
    env.log,
    skill.id,
  )
  return result.ok ? encodeResult(env.log, skill, result) : result
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
    text = JSON.stringify(result.output ?? null)
  } catch (error) {
    log.error({ err: error, skill: skill.id }, 'skill output cannot be read')
  }
  if (text === undefined)
    return fail('INTERNAL_ERROR', 'The skill gave an answer that is no JSON; nothing was charged')
  const answer: StoredAnswer = {
    status: result.status ?? 200,
    headers: { 'content-type': 'application/json' },
    body: encoder.encode(text),
  }
  return { ok: true, kind: 'answer', answer, bill: result.bill ?? 'capture' }
}

/** What a result takes of the authorized amount: all of it unless the skill said less. */
export function billedAmount(result: Worked, authorizedAtomic: bigint): bigint {
  if (result.bill === 'release') return 0n
  if (typeof result.bill !== 'object') return authorizedAtomic
  const { amountAtomic } = result.bill
  if (amountAtomic < 0n) return 0n
  return amountAtomic < authorizedAtomic ? amountAtomic : authorizedAtomic
}
