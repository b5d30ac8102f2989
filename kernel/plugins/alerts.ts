/** Kernel service by which plugins alert the operator to faults of the gateway itself. */
import type { PluginTx } from '../storage/contract.ts'

/** An event of the gateway, such as `settlement.stuck`. It is sent unchanged: include no secret. */
export interface Alert {
  /** Subject and state: `upstream.down`. */
  type: string
  data: Readonly<Record<string, unknown>>
}

/**
 * Events of the gateway: listed at `GET /v1/events` and sent to the operator's webhook at least
 * once, like events of accounts.
 */
export interface Alerts {
  /** Records one event per call, in `tx` if given. */
  tell(alert: Alert, tx?: PluginTx): Promise<void>
  /**
   * Reports that a state holds now; call it repeatedly while it lasts, on any instance. An event is
   * recorded when the state begins, that is if this type and `subject` was not reported in the last
   * ten minutes. True if an event was recorded.
   */
  holds(alert: Alert & { subject: string }): Promise<boolean>
}
