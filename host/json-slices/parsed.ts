/** Parses the pieces of a text, and says why the whole is refused. */
import type { JsonFault } from '#kernel/host'

/** Why parsing stops; the parser turns it into its outcome. */
export class Stopped extends Error {
  readonly reason: JsonFault
  constructor(reason: JsonFault) {
    super(reason.fault)
    this.reason = reason
  }
}

/** The value of a piece; Stopped if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Stopped({ fault: 'syntax' })
  }
}
