/** Puts a skill's questions to a client of an older revision, on the stream of its call. */
import { fail, type Failure, type InputRequest } from '#kernel'
import type { Exchange } from './exchange.ts'
import { REASONS } from './reasons.ts'

/** The answers by name, or INVALID_INPUT when the client cannot be asked or does not answer. */
export async function askAll(
  requests: Readonly<Record<string, InputRequest>>,
  { talk, signal }: Exchange,
): Promise<{ ok: true; answers: Record<string, unknown> } | Failure> {
  if (!talk)
    return refused(
      'this client reads no event stream, so it cannot be asked what the tool wants to know',
    )
  const asked = Object.entries(requests).map(async ([name, { method, params }]) => [
    name,
    await talk.ask(method, params, signal),
  ])
  try {
    return {
      ok: true,
      answers: Object.fromEntries(await Promise.all(asked)) as Record<string, unknown>,
    }
  } catch (error) {
    return refused(error instanceof Error ? error.message : 'no answer came')
  }
}

function refused(why: string): Failure {
  return fail('INVALID_INPUT', `The tool needs answers that it did not get: ${why}`, {
    details: { reason: REASONS.no_answer },
  })
}
