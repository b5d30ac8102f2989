/** What a way to sign in finds: whose proof it is, or why it is none. */
import { fail, type Failure } from '#kernel'
import { REASONS } from '../reasons.ts'

/** `subject` names the owner, such as 'email:a@b.c'. */
export type Proof = { ok: true; subject: string; name: string } | Failure

/** 401: the proof does not hold; `why` names what disagrees. */
export function notProven(why: string): Failure {
  return fail('INVALID_INPUT', why, { status: 401, details: { reason: REASONS.wrong_proof } })
}
