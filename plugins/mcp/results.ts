/**
 * CallToolResult of a metered call. Failures are results with `isError`, because both official SDKs
 * throw on HTTP 402 and on JSON-RPC errors, and a model could then not act on them.
 */
import {
  atomicToCredits,
  errorBody,
  type CallOutcome,
  type Failure,
  type MountedSkill,
} from '#kernel'
import { adviceOf, refusalAdvice } from './advice.ts'
import { contentOf, textBlock } from './content.ts'
import { ProtocolError, type Era, type Json } from './protocol.ts'
import { receiptMembers } from './receipt.ts'
import { formFor } from './unpaid.ts'
import { membersOf, reply, type Reply, type ServerInfo } from './reply.ts'

type Failed = Extract<CallOutcome, { ok: false }>

/** The request whose result it is. */
export interface ResultPlace {
  era: Era
  info: ServerInfo
  /** Of the client, as the request names them; null: it names none. */
  capabilities: Json | null
}

/**
 * The finished result of a call of `mounted`. Throws the JSON-RPC error of a rail that the client's
 * capabilities ask for instead of an unpaid result.
 */
export function toolResult(
  { era, info, capabilities }: ResultPlace,
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
  const form = formFor(outcome.offers, capabilities)
  if (form?.kind === 'error') throw new ProtocolError(form.code, form.message, form.data)
  const offered = outcome.offerMeta ? `${membersOf(outcome.offerMeta)},` : ''
  const error = JSON.stringify(errorOf(outcome))
  if (form) {
    const { resultType, member, challenge } = form
    return reply({
      era,
      info,
      meta: `${meta},${offered}"coinop/error":${error}`,
      resultType,
      members: `${JSON.stringify(member)}:${JSON.stringify(challenge)}`,
    })
  }
  const body = JSON.stringify(structuredFailure(outcome))
  const challenges = outcome.offers.flatMap(({ challengeKey }) => challengeKey ?? [])
  const repeated = challenges.map((key) => `${JSON.stringify(key)}:${body},`).join('')
  return reply({
    era,
    info,
    meta: `${meta},${repeated}${offered}"coinop/error":${error}`,
    members: `"content":[${textBlock(body)},${textBlock(adviceOf(outcome))}],"structuredContent":${body},"isError":true`,
  })
}

/**
 * The challenges of the rails that have one, so that their clients find what they can sign; else the
 * error body of HTTP. Where two rails give the same member, that of the first one counts.
 */
function structuredFailure(outcome: Failed): object {
  const { failure, offers } = outcome
  const challenges = offers.flatMap(({ challenge }) => challenge ?? [])
  const told = offers.find(({ challengeError }) => challengeError !== undefined)?.challengeError
  const error = challenges.length > 0 ? (told ?? failure.message) : errorOf(outcome)
  const bodies = offers.filter(({ challenge }) => !challenge).map(({ body }) => body)
  return { ...joined(challenges), error, ...joined(bodies) }
}

function joined(parts: readonly object[]): object {
  return Object.assign({}, ...parts.toReversed())
}

/** The error object of the one table, with the pause before a retry where a model finds it. */
function errorOf({ failure, requestId, pending, receipt }: Failed): object {
  const { error } = errorBody(failure, requestId)
  const seconds = retryAfterSeconds(failure)
  return {
    ...error,
    ...(seconds !== null && { retryAfterSeconds: seconds }),
    charged: pending ? null : atomicToCredits(receipt?.chargedAtomic ?? 0n),
  }
}

function retryAfterSeconds(failure: Failure): number | null {
  const header = failure.headers?.['retry-after']
  return header !== undefined && /^\d+$/.test(header) ? Number(header) : null
}
