/** Warnings that untrusted callers can cause as often as they like, written a few times only. */
import type { Logger } from '#kernel'

/** Writes the first warning of a kind at once, later ones of the same minute as one with a count. */
export type LimitedWarning = (kind: string, fields: object, message: string) => void

const EVERY_MS = 60_000
/** Kinds are few by design; one too many is counted with the others. */
const MAX_KINDS = 1000
const OTHERS = 'others'

/** Warnings to `log`: per kind one at once, then at most one each `everyMs` that says how many. */
export function limitedWarnings(log: Logger, everyMs = EVERY_MS): LimitedWarning {
  const quiet = new Map<string, { more: number; fields: object; message: string }>()

  function wait(kind: string): void {
    setTimeout(() => {
      const state = quiet.get(kind)
      if (!state || state.more === 0) return void quiet.delete(kind)
      const { more, fields, message } = state
      state.more = 0
      log.warn({ ...fields, more, withinMs: everyMs }, message)
      wait(kind)
    }, everyMs).unref()
  }

  return (named, fields, message) => {
    const kind = quiet.has(named) || quiet.size < MAX_KINDS ? named : OTHERS
    const state = quiet.get(kind)
    if (state) {
      Object.assign(state, { more: state.more + 1, fields, message })
      return
    }
    quiet.set(kind, { more: 0, fields, message })
    log.warn(fields, message)
    wait(kind)
  }
}
