/**
 * The contract for reporting operators' changes by admin routes to plugins, with the state before
 * and after; implemented by `host/operator-changes`.
 */
import type { Logger } from '../log/logger.ts'
import type { ChangeObserver } from '../plugins/observers.ts'
import type { Route } from '../plugins/route.ts'
import type { Answering, OwnRequest, RouteCall } from './incoming.ts'

/** `serve` answers a request that the gateway makes to itself. */
export type CreateOperatorChanges = (
  serve: (request: Request, from: OwnRequest) => Promise<Response>,
  log: Pick<Logger, 'error'>,
) => OperatorChanges

export interface OperatorChanges {
  /** Replaces the observers. */
  set(observers: readonly ChangeObserver[]): void
  /** Whether there are observers. */
  readonly isOn: boolean
  /** The answer of `work`, after the change was reported; a refused request changed nothing. */
  around(route: Route, call: RouteCall, work: () => Answering): Promise<Response>
}
