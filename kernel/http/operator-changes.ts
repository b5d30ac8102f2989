/**
 * What operators change by admin routes is told to plugins with what was there before and after;
 * `host/operator-changes` does it.
 */
import type { Logger } from '../log/logger.ts'
import type { ChangeObserver } from '../plugins/observers.ts'
import type { Route } from '../plugins/route.ts'
import type { OwnRequest, RouteCall } from './incoming.ts'

/** `serve` answers a request that the gateway makes to itself. */
export type CreateOperatorChanges = (
  serve: (request: Request, from: OwnRequest) => Promise<Response>,
  log: Pick<Logger, 'error'>,
) => OperatorChanges

export interface OperatorChanges {
  /** From now on these are told, and no others. */
  set(observers: readonly ChangeObserver[]): void
  /** Whether anybody is told. */
  readonly isOn: boolean
  /** The answer of `work`, once the change is told. One that was refused changed nothing. */
  around(route: Route, call: RouteCall, work: () => Response | Promise<Response>): Promise<Response>
}
