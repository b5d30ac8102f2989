/**
 * CallToolResult of a metered call. Failures are results with `isError`, because both official SDKs
 * throw on HTTP 402 and on JSON-RPC errors, and a model could then not act on them.
 */
import { errorBody, type CallOutcome, type Failure, type MountedSkill, type Offer } from '#kernel'
import { adviceOf, refusalAdvice } from './advice.ts'
import { contentOf, textBlock } from './content.ts'
import type { Era } from './protocol.ts'
import { receiptMembers } from './receipt.ts'
import { reply, type Reply, type ServerInfo } from './reply.ts'

type Failed = Extract<CallOutcome, { ok: false }>

/** The finished result of a call of `mounted`. */
export function toolResult(
  era: Era,
  info: ServerInfo,
  mounted: MountedSkill,
  outcome: CallOutcome,
): Reply {
  const meta = receiptMembers(outcome, mounted)
  if (outcome.ok) {
    const { json, status } = outcome
    const structured = json.startsWith('{') ? `,"structuredContent":${json}` : ''
    const content =
      status < 400
        ? `"content":${contentOf(mounted.skill, json)}`
        : `"isError":true,"content":[${textBlock(json)},${textBlock(refusalAdvice(outcome))}]`
    return reply({ era, info, meta, members: `${content}${structured}` })
  }
  const body = JSON.stringify(structuredFailure(outcome))
  const error = JSON.stringify(errorOf(outcome))
  const x402 = challengeOf(outcome.offers) === undefined ? '' : `"x402/error":${body},`
  return reply({
    era,
    info,
    meta: `${meta},${x402}"coinop/error":${error}`,
    members: `"content":[${textBlock(body)},${textBlock(adviceOf(outcome))}],"structuredContent":${body},"isError":true`,
  })
}

/**
 * An x402 PaymentRequired when an x402 payment would help, else the error body of HTTP: a
 * PaymentRequired with nothing to sign is none that clients can read.
 */
function structuredFailure(outcome: Failed): object {
  const { failure, offers } = outcome
  const challenge = challengeOf(offers) as object | undefined
  if (challenge === undefined) return { error: errorOf(outcome), ...prepaidOf(offers) }
  return { ...challenge, error: failure.message, ...prepaidOf(offers) }
}

function challengeOf(offers: readonly Offer[]): unknown {
  return offers.find((offer) => offer.challenge !== undefined)?.challenge
}

function prepaidOf(offers: readonly Offer[]): object {
  const prepaid = offers.find((offer) => offer.body['prepaid'] !== undefined)?.body['prepaid']
  return prepaid === undefined ? {} : { prepaid }
}

/** The error object of the one table, with the pause before a retry where a model finds it. */
function errorOf({ failure, requestId, pending }: Failed): object {
  const { error } = errorBody(failure, requestId)
  const seconds = retryAfterSeconds(failure)
  return {
    ...error,
    ...(seconds !== null && { retryAfterSeconds: seconds }),
    charged: pending ? null : 0,
  }
}

function retryAfterSeconds(failure: Failure): number | null {
  const header = failure.headers?.['retry-after']
  return header !== undefined && /^\d+$/.test(header) ? Number(header) : null
}
