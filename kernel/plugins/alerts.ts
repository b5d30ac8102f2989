/** Kernel service by which plugins tell the operator what goes wrong in the gateway itself. */
import type { PluginTx } from '../storage/contract.ts'

/** An event of the gateway, such as `settlement.stuck`; it is sent as it is, so no secret may be in it. */
export interface Alert {
  /** What it is about, and what became of it: `upstream.down`. */
  type: string
  data: Readonly<Record<string, unknown>>
}

/**
 * Events of the gateway: listed at `GET /v1/events`, and sent to the operator's webhook at least once,
 * as those of accounts are.
 */
export interface Alerts {
  /** Records something that happened, once for each call; in `tx` where one is given. */
  tell(alert: Alert, tx?: PluginTx): Promise<void>
  /**
   * Says that a state holds now; call it again while it lasts, on any instance. It is told when it
   * begins: when nobody said so of this type and `subject` in the last ten minutes. True: it was told now.
   */
  holds(alert: Alert & { subject: string }): Promise<boolean>
}
