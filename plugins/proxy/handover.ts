/**
 * Whose turn it is while a request goes out. As long as the caller's body is waited for, nothing
 * that the upstream does or leaves undone is held against it.
 */
import type { Silence } from './silence.ts'

export class Handover {
  readonly #beganAtMs = performance.now()
  readonly #silences: Silence[] = []
  #callerSinceMs: number | null = null
  #wholeAtMs: number | null = null

  /** The upstream's silence does not count while the caller is waited for. */
  watch(silence: Silence): void {
    this.#silences.push(silence)
    if (this.#callerSinceMs !== null) silence.excuse(true)
  }

  /** The next part of the caller's body is waited for. */
  waitForCaller(): void {
    this.#callerSinceMs = performance.now()
    for (const silence of this.#silences) silence.excuse(true)
  }

  /** The caller has sent a part, or its body has ended. */
  gotPart(): void {
    this.#callerSinceMs = null
    for (const silence of this.#silences) silence.excuse(false)
  }

  /** The upstream has been given the whole request. */
  whole(): void {
    this.#wholeAtMs = performance.now()
  }

  /** Whether the caller's next part is waited for. */
  get isCallersTurn(): boolean {
    return this.#callerSinceMs !== null
  }

  /** Milliseconds since the caller's next part is waited for; 0 when it is the upstream's turn. */
  get callerWaitMs(): number {
    return this.#callerSinceMs === null ? 0 : performance.now() - this.#callerSinceMs
  }

  /** The part of the time so far, 0 to 1, in which the upstream had the whole request. */
  get upstreamShare(): number {
    if (this.#wholeAtMs === null) return 0
    const nowMs = performance.now()
    const totalMs = nowMs - this.#beganAtMs
    return totalMs <= 0 ? 0 : (nowMs - this.#wholeAtMs) / totalMs
  }
}
