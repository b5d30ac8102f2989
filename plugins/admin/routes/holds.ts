/** How the credit routes show a hold and its end. */
import {
  atomicToCredits,
  type Failure,
  type Hold,
  notFound,
  privateJson,
  stateConflict,
  type TransitionResult,
} from '#kernel'
import { Type, type Static } from 'typebox'

export const RequestId = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[\\x20-\\x7e]+$',
  description: '1 to 128 printable characters',
})
export const NO_HOLD = 'This API key has no such authorization'
const HOLD = {
  authorizationId: Type.String(),
  requestId: Type.String(),
  state: Type.Enum(['authorized', 'captured', 'released', 'expired', 'refunded']),
  amountCredits: Type.Number(),
  amountUsdcAtomic: Type.Integer(),
  expiresAt: Type.String({ format: 'date-time' }),
}
export const Authorized = Type.Object(HOLD)
export const Ended = Type.Object({ ...HOLD, ledgerId: Type.String() })

/** The hold with its new state, or why it has none. */
export function transitionAnswer(result: TransitionResult): Response | Failure {
  switch (result.outcome) {
    case 'done':
      return privateJson({ ...holdToJson(result.hold), ledgerId: result.hold.ledgerId })
    case 'not_found':
      return notFound(NO_HOLD)
    case 'conflict':
      return stateConflict(
        result.hold.state === 'expired'
          ? 'The authorization has expired, and its credits were given back: authorize them again'
          : `The authorization is ${result.hold.state}`,
        result.hold.state,
      )
  }
}

/** A hold as the credit routes show it. */
export function holdToJson(hold: Hold): Static<typeof Authorized> {
  return {
    authorizationId: hold.id,
    requestId: hold.requestId,
    state: hold.state,
    amountCredits: atomicToCredits(hold.amountAtomic),
    amountUsdcAtomic: Number(hold.amountAtomic),
    expiresAt: hold.expiresAt.toISOString(),
  }
}
