/**
 * How the parts of a skill's work share the time that a call has. Each part has a length of its own
 * for calls of the skill's own limit; an operator's `limits.timeout` changes all of them together.
 */

export interface CallTime {
  /**
   * How long a part may go on that gives nothing where it is not done. In a longer call it is longer
   * too; in a shorter one it stays, because the end of the call ends the part.
   */
  limitMs(usualMs: number): number
  /** After how long a part gives what it has; shorter in a shorter call, so that this is answered. */
  budgetMs(usualMs: number): number
}

/** The time of a call that has `timeoutMs`, of a skill whose own limit is `usualMs`. */
export function callTime(timeoutMs: number, usualMs: number): CallTime {
  const share = timeoutMs / usualMs
  return {
    limitMs: (partMs) => Math.round(partMs * Math.max(1, share)),
    budgetMs: (partMs) => Math.round(partMs * share),
  }
}
