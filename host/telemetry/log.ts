/**
 * Structured logs: pretty on a terminal, one JSON object a line elsewhere; secrets are redacted. The
 * line of a metered call is put together by hand: at full load it is most of the log.
 */
import pino from 'pino'
import pretty from 'pino-pretty'
import type { CallFacts, GatewayLog, LogOptions } from '#kernel/host'
import { LogOutput } from './log-output.ts'

/** Header and field names that never reach a log line. */
const REDACTED = [
  'authorization',
  'apiKey',
  'key',
  'secret',
  'token',
  'password',
  'privateKey',
  'signature',
]

/** Call lines gather up to this length, for half a second at most; all of them go out at exit. */
const GATHERED_CHARACTERS = 16_384

/** How long the end of the process waits for a reader of the log that takes nothing. */
const FLUSH_TIMEOUT_MS = 2000

/** One for stdout, whichever loggers write to it. */
let output: LogOutput | undefined

/** Log lines that nobody will read: their reader took nothing, or is gone. */
export function logLinesLost(): number {
  return output?.lost ?? 0
}

/** A logger to stdout. */
export function createLog(options: LogOptions): GatewayLog {
  const settings: pino.LoggerOptions = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    formatters: { level: (label) => ({ level: label }) },
  }
  if (options.format === 'pretty') {
    const stream = pretty({
      colorize: process.stdout.isTTY,
      ignore: 'pid,hostname',
      translateTime: 'HH:MM:ss.l',
      singleLine: true,
      sync: true,
    })
    const logger = pino(settings, stream)
    const call = (facts: CallFacts) => logger.info(shown(facts), 'call')
    return wrap(logger, { call, flush: async () => {} })
  }
  const stdout = (output ??= new LogOutput(1))
  const lines = gathering((text) => stdout.write(text))
  // A line must not wait for the buffer to fill when the gateway is quiet.
  const timer = setInterval(() => {
    lines.pass()
    stdout.flush()
  }, 500)
  timer.unref()
  process.on('exit', () => {
    lines.pass()
    stdout.flushSync()
  })
  const flush = () => {
    lines.pass()
    return stdout.drained(FLUSH_TIMEOUT_MS)
  }
  // Lines of both kinds stay in the order in which they were written.
  const ordered = { write: (line: string) => (lines.pass(), stdout.write(line)) }
  const logger = pino(settings, ordered)
  const call = (facts: CallFacts) => lines.add(callLine(facts, Date.now()))
  return wrap(logger, { call: logger.isLevelEnabled('info') ? call : () => {}, flush })
}

/** Passes lines on in large pieces: a piece is flattened, measured and written once. */
function gathering(write: (text: string) => void): { add(line: string): void; pass(): void } {
  let gathered = ''
  const pass = (): void => {
    if (gathered === '') return
    const text = gathered
    gathered = ''
    write(text)
  }
  return {
    pass,
    add(line) {
      gathered += line
      if (gathered.length >= GATHERED_CHARACTERS) pass()
    },
  }
}

/** The fields of a call's line; one that says nothing is left out. */
function shown({ acquisition, ...facts }: CallFacts): object {
  return acquisition === null ? facts : { ...facts, acquisition }
}

function wrap(logger: pino.Logger, own: Pick<GatewayLog, 'call' | 'flush'>): GatewayLog {
  return {
    debugs: logger.isLevelEnabled('debug'),
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    child: (fields) => wrap(logger.child(fields), own),
    ...own,
  }
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
