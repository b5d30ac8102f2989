/** The log line of one metered call, put together by hand: at full load it is most of the log. */

export interface CallFacts {
  /** Well-formed, as `requestIdFrom` gives it: it needs no escaping. */
  requestId: string
  skill: string
  via: 'http' | 'mcp'
  rail: string
  /** One word: 'charged', 'free', 'replayed' or an error code. */
  outcome: string
  status: number
  chargedCredits: number
  ms: number
  acquisition: string | null
}

let second = -1
let secondText = ''

/** ISO 8601 with milliseconds; the part down to the second is made once a second. */
function isoTime(atMs: number): string {
  const at = Math.floor(atMs / 1000)
  if (at !== second) {
    second = at
    secondText = new Date(at * 1000).toISOString().slice(0, -4)
  }
  return `${secondText}${String(atMs - at * 1000).padStart(3, '0')}Z`
}

/** As pino writes it: one JSON object and a newline. */
export function callLine(facts: CallFacts, atMs: number): string {
  const { requestId, skill, via, rail, outcome, status, chargedCredits, ms, acquisition } = facts
  const more = acquisition === null ? '' : `,"acquisition":${JSON.stringify(acquisition)}`
  return `{"level":"info","time":"${isoTime(atMs)}","requestId":"${requestId}","skill":${JSON.stringify(skill)},"via":"${via}","rail":${JSON.stringify(rail)},"outcome":"${outcome}","status":${status},"chargedCredits":${chargedCredits},"ms":${ms}${more},"msg":"call"}\n`
}
