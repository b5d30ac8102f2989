/** The client behind a call as a skill or a prompt sees it. */
import type { ClientView, LogLevel } from '#kernel'
import type { Exchange } from './exchange.ts'
import { isObject, META, type Json } from './protocol.ts'

/** Answers to what an earlier run asked for. */
export interface Answered {
  answers: Readonly<Record<string, unknown>>
  state: string | null
}

const LEVELS: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]
/** Revisions with a handshake set the level once per session, and there are no sessions here. */
const LEGACY_LEVEL: LogLevel = 'info'

/** What the client says in this request that it can do; null: nothing, as before 2026-07-28. */
export function capabilitiesIn({ meta }: Exchange): Json | null {
  const capabilities = meta[META.clientCapabilities]
  return isObject(capabilities) ? capabilities : null
}

/** The view for one run; progress and messages go nowhere when the client reads no stream. */
export function clientOf(exchange: Exchange, { answers, state }: Answered): ClientView {
  const { meta, talk } = exchange
  const token = progressTokenOf(meta)
  const least = LEVELS.indexOf(wantedLevel(exchange) as LogLevel)
  let last = Number.NEGATIVE_INFINITY
  return {
    capabilities: capabilitiesIn(exchange),
    answers,
    state,
    progress({ progress, total, message }) {
      // Progress has to grow from one notification to the next.
      if (token === null || !(progress > last)) return
      last = progress
      talk?.progress({
        progressToken: token,
        progress,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      })
    },
    log(level, data) {
      if (least === -1 || LEVELS.indexOf(level) < least) return
      talk?.notify('notifications/message', { level, data })
    },
  }
}

/** Every notification repeats the token, so a long one would cost memory with each step. */
const MAX_TOKEN_CHARACTERS = 1024

/** The token of a request that wants progress; null when it asks for none, or with too long a one. */
export function progressTokenOf(meta: Readonly<Record<string, unknown>>): string | number | null {
  const token = meta['progressToken']
  if (typeof token === 'string') return token.length <= MAX_TOKEN_CHARACTERS ? token : null
  return Number.isSafeInteger(token) ? (token as number) : null
}

/** 2026-07-28: no message unless the request itself names a level. */
function wantedLevel({ era, meta }: Exchange): unknown {
  return era === 'modern' ? meta[META.logLevel] : LEGACY_LEVEL
}
